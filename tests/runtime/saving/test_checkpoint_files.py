"""The state file of a directory, and damaged files: an error with the place, and nothing is changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import runtime as tf
from runtime.errors import FileFormatError


def test_a_directory_may_be_moved(tmp_path: Path) -> None:
    v = tf.Variable(3)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path / "a", max_to_keep=2)
    manager.save()
    os.rename(tmp_path / "a", tmp_path / "b")
    path = tf.train.latest_checkpoint(tmp_path / "b")
    assert path == str(tmp_path / "b" / "ckpt-1")
    v.assign(0)
    tf.train.Checkpoint(v=v).restore(path).assert_consumed()
    assert int(v) == 3


def test_the_state_file_is_text_for_people_and_other_programs(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(3))
    for _ in range(2):
        checkpoint.save(tmp_path / 'we"ird é')
    lines = (tmp_path / "checkpoint").read_text().splitlines()
    assert lines == [
        'model_checkpoint_path: "we\\"ird \\u00e9-2"',
        'all_model_checkpoint_paths: "we\\"ird \\u00e9-1"',
        'all_model_checkpoint_paths: "we\\"ird \\u00e9-2"',
    ]
    assert tf.train.latest_checkpoint(tmp_path) == str(tmp_path / 'we"ird é-2')


def test_where_the_last_one_was_deleted_the_one_before_is_the_last(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(3))
    paths = [checkpoint.save(tmp_path / "c") for _ in range(3)]
    os.unlink(paths[2] + ".data-00000-of-00001")
    assert tf.train.latest_checkpoint(tmp_path) == paths[1]
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=3, checkpoint_name="c")
    assert manager.checkpoints == paths[:2]
    for path in paths[:2]:
        os.unlink(path + ".data-00000-of-00001")
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert tf.train.latest_checkpoint(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "at byte 0"), ("x\n", "line 1, at byte 0"), ('model_checkpoint_path: "a\n', "line 1, at byte 0"),
        ('model_checkpoint_path: "a"\nall_model_checkpoint_timestamps: 1.2.3\n', "line 2, at byte 27"),
        ('model_checkpoint_path: "a"\nmodel_checkpoint_path: "b"\n', "at byte 54"),
        ('model_checkpoint_path: "\\x"\n', "line 1, at byte 0"),
        ('model_checkpoint_path: "a"\nall_model_checkpoint_timestamps: 1.0\n', "at byte 64"),
    ],
)  # fmt: skip
def test_a_damaged_state_file_is_told_with_the_place(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "checkpoint").write_text(text)
    with pytest.raises(FileFormatError, match=f"checkpoint: {place}"):
        tf.train.latest_checkpoint(tmp_path)


def test_a_state_may_be_written_by_hand(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(3))
    paths = [checkpoint.write(tmp_path / name) for name in "ab"]
    tf.train.update_checkpoint_state(str(tmp_path), paths[0], paths, all_model_checkpoint_timestamps=[1.0, 2.5])
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state is not None
    assert (state.model_checkpoint_path, list(state.all_model_checkpoint_paths)) == (paths[0], paths)
    assert state.all_model_checkpoint_timestamps == (1.0, 2.5) and state.last_preserved_timestamp is None
    assert tf.train.latest_checkpoint(tmp_path) == paths[0]
    with pytest.raises(ValueError, match="there are 2 paths of checkpoints and 1 times"):
        tf.train.update_checkpoint_state(str(tmp_path), paths[0], paths, all_model_checkpoint_timestamps=[1.0])


def test_a_damaged_checkpoint_is_told_and_changes_nothing(tmp_path: Path) -> None:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
    checkpoint = tf.train.Checkpoint(v=v, w=w)
    path = checkpoint.save(tmp_path / "c")
    data = Path(path + ".data-00000-of-00001")
    good = data.read_bytes()
    v.assign([0.0, 0.0])
    w.assign([0.0])
    places = [0, 9, len(good) // 2, good.index(b"\x00\x00\x40\x40"), len(good) - 1]
    for bad in (*(good[:i] + bytes([good[i] ^ 1]) + good[i + 1 :] for i in places), good[:-1], good + b"x", b""):
        data.write_bytes(bad)
        with pytest.raises(FileFormatError, match=r"c-1.data-00000-of-00001: .*at byte \d+"):
            checkpoint.restore(path)
        assert v.numpy().tolist() == [0.0, 0.0] and w.numpy().tolist() == [0.0]
    data.write_bytes(good)
    checkpoint.restore(path).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0]


def test_a_checkpoint_of_another_package_is_told(tmp_path: Path) -> None:
    (tmp_path / "c.data-00000-of-00001").write_bytes(b"\x00\x00\x80?" * 50)
    (tmp_path / "c.index").write_bytes(b"\x00\x00\x08\x01")
    with pytest.raises(FileFormatError, match="c.index: at byte 0: is no index of this package; TensorFlow's own"):
        tf.train.Checkpoint(v=tf.Variable(1)).restore(tmp_path / "c")


def test_a_forged_tree_is_refused(tmp_path: Path) -> None:
    import numpy as np

    from runtime.checkpoint.container import write_container

    text = '"path": {"parts": {}}'
    for tree in (
        "[]", "{}", '{"nodes": []}', '{"nodes": [3]}', '{"nodes": [{"parts": {"a": 1}}]}', f'{{"nodes": [{{{text}}}]}}',
        '{"nodes": [{"parts": {}, "value": "x"}]}', '{"nodes": [{"parts": {}, "slots": 1}]}', "[" * 5000,
        '{"nodes": [{"parts": {}, "slots": [{"variable": 5, "name": "", "number": 0, "slot": "", "node": 0}]}]}',
        '{"nodes": [{"parts": {}, "slots": [{"variable": null, "name": 1, "number": 0, "slot": "", "node": 0}]}]}',
        '{"nodes": [{"parts": {}, "slots": [{}]}]}', '{"nodes": [{"parts": {"a": true}}]}',
        '{"nodes": [{"parts": []}]}',
    ):  # fmt: skip
        array = np.empty((), object)
        array[()] = tree.encode()
        arrays = {"_CHECKPOINTABLE_OBJECT_GRAPH": array}
        write_container(tmp_path / "c.data-00000-of-00001", arrays, {"made": "checkpoint"})
        with pytest.raises(FileFormatError, match=r"c.data-00000-of-00001: the tree of objects at byte \d+: "):
            tf.train.Checkpoint(v=tf.Variable(1)).restore(tmp_path / "c")
    write_container(tmp_path / "c.data-00000-of-00001", {}, {})
    with pytest.raises(FileFormatError, match="is that of another file than a checkpoint"):
        tf.train.Checkpoint(v=tf.Variable(1)).restore(tmp_path / "c")
