"""`runtime.io`: files of records, and bytes as numbers.

with runtime.io.TFRecordWriter("numbers.tfrecord") as writer:
    writer.write(b"one")
"""

from runtime.data.records import RecordWriter as TFRecordWriter
from runtime.data.records import TFRecordOptions
from runtime.io.raw import decode_base64, decode_raw, encode_base64

__all__ = ["TFRecordOptions", "TFRecordWriter", "decode_base64", "decode_raw", "encode_base64"]
