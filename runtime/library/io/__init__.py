"""`runtime.io`: files, files of records and what is in them, tensors as texts, and bytes as numbers.

with runtime.io.TFRecordWriter("numbers.tfrecord") as writer:
    writer.write(b"one")
"""

from runtime.library.data.records import RecordWriter as TFRecordWriter
from runtime.library.data.records import TFRecordOptions
from runtime.library.image.files import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_image,
    decode_jpeg,
    decode_png,
    encode_jpeg,
    encode_png,
    extract_jpeg_shape,
    is_jpeg,
)
from runtime.library.io.csv_lines import decode_csv
from runtime.library.io.examples import parse_example, parse_single_example
from runtime.library.io.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from runtime.library.io.files import parse_tensor, read_file, serialize_tensor, write_file
from runtime.library.io.raw import decode_base64, decode_raw, encode_base64
from runtime.library.io.sequences import parse_sequence_example, parse_single_sequence_example
from runtime.names.elsewhere import explain

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "RaggedFeature", "SparseFeature", "TFRecordOptions", "TFRecordWriter",
    "VarLenFeature", "decode_and_crop_jpeg", "decode_base64", "decode_bmp", "decode_csv", "decode_gif", "decode_image",
    "decode_jpeg", "decode_png", "decode_raw", "encode_base64", "encode_jpeg", "encode_png", "extract_jpeg_shape",
    "is_jpeg", "parse_example",
    "parse_sequence_example", "parse_single_example", "parse_single_sequence_example", "parse_tensor", "read_file",
    "serialize_tensor", "write_file",
]  # fmt: skip

explain(__name__)
