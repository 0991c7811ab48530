"""`runtime.io`: files, files of records, tensors as texts, and bytes as numbers.

with runtime.io.TFRecordWriter("numbers.tfrecord") as writer:
    writer.write(b"one")
"""

from runtime.data.records import RecordWriter as TFRecordWriter
from runtime.data.records import TFRecordOptions
from runtime.io.files import parse_tensor, read_file, serialize_tensor, write_file
from runtime.io.raw import decode_base64, decode_raw, encode_base64

__all__ = [
    "TFRecordOptions", "TFRecordWriter", "decode_base64", "decode_raw", "encode_base64", "parse_tensor", "read_file",
    "serialize_tensor", "write_file",
]  # fmt: skip
