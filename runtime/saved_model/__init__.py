"""`runtime.saved_model`: models on disk, with what they compute, for programs that do not have their code.

    runtime.saved_model.save(module, "models/1")
    loaded = runtime.saved_model.load("models/1")         # perhaps in another process, without the module's class
    loaded(x), loaded.weights.assign(w), loaded.signatures["serving_default"](x=x)

See docs/saving.md.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

from runtime.checkpoint.container import read_container
from runtime.context import current_recorder
from runtime.saved_model.loaded_objects import is_loaded
from runtime.saved_model.loading import read_model
from runtime.saved_model.objects import Tree, is_savable_object
from runtime.saved_model.saving import write_model
from runtime.saved_model.served import signatures_of
from runtime.saved_model.values import NotSavable
from runtime.state.scopes import init_scope

__all__ = ["LoadOptions", "SaveOptions", "contains_saved_model", "load", "save"]

FILE: Final = "saved_model.safetensors"
"""The name of the file in its directory."""


@dataclass(frozen=True)
class SaveOptions:
    """experimental_custom_gradients: whether the rules of `custom_gradient` are called once, and saved as graphs."""

    experimental_custom_gradients: bool = True


def save(
    obj: Any, export_dir: str | os.PathLike[str], signatures: Any = None, options: SaveOptions | None = None
) -> None:
    """Saves an object (a Module, a layer, an object of a class of yours) into a directory, which is made.

    With it go its Variables, all traces of the Functions that are its attributes and methods, and the objects, lists
    and dicts that it holds; a Function with an input_signature is traced if it has not been. signatures: a Function
    with one trace or an input_signature, a trace, or a dict of such by names; by default the one of the object itself.

    Raises ValueError, which names the line, for traces that files cannot hold: with Python code (`py_function`),
    datasets, or Variables that are no part of the object. What was in the directory before stays then.
    """
    directory = os.fspath(export_dir)
    if current_recorder() is not None:
        raise RuntimeError("saved_model.save writes a file at once, which a graph cannot: call it outside of Functions")
    if not is_savable_object(obj):
        raise ValueError(
            f"saved_model.save takes a Module, or another object with Variables and Functions as its attributes; got"
            f" {obj!r}"
        )
    if "signatures" in vars(obj) and not is_loaded(obj):
        raise ValueError(
            f"saved_model.save: the {type(obj).__name__} has an attribute `signatures`, which is where loaded models"
            " have theirs; give it another name"
        )
    if not isinstance(options, SaveOptions | None):
        raise TypeError(f"saved_model.save: options is a SaveOptions or None; got {options!r}")
    tree = Tree(obj, options is None or options.experimental_custom_gradients)
    tree.collect()
    served = signatures_of(obj, tree, signatures)
    try:
        write_model(tree, os.path.join(directory, FILE), served)
    except NotSavable as problem:
        raise ValueError(f"saved_model.save: {problem}") from None


@dataclass(frozen=True)
class LoadOptions:
    """allow_files: whether the loaded functions may read and write files (`read_file`, `write_file`, prints to files).
    A model that somebody else has made could name any file."""

    allow_files: bool = False


def load(export_dir: str | os.PathLike[str], *, options: LoadOptions | None = None) -> Any:
    """The object that was saved into a directory, and its `signatures`. It has the same attributes, and no class.

    Nothing of the file is run by loading it. Raises NotFoundError if there is no saved model, FileFormatError with the
    file and the position if it is damaged or is none, FailedPreconditionError for functions that use files (see
    LoadOptions).
    """
    if not isinstance(options, LoadOptions | None):
        raise TypeError(f"saved_model.load: options is a LoadOptions or None; got {options!r}")
    allow_files = options is not None and options.allow_files
    with init_scope():
        root, served = read_model(read_container(os.path.join(os.fspath(export_dir), FILE)), allow_files)
    if is_loaded(root):
        vars(root)["signatures"] = dict(served)
    return root


def contains_saved_model(export_dir: str | os.PathLike[str]) -> bool:
    """Whether there is a saved model in a directory."""
    return os.path.isfile(os.path.join(os.fspath(export_dir), FILE))
