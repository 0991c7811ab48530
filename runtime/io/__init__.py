"""`runtime.io`: files of records.

with runtime.io.TFRecordWriter("numbers.tfrecord") as writer:
    writer.write(b"one")
"""

from runtime.data.records import RecordWriter as TFRecordWriter
from runtime.data.records import TFRecordOptions

__all__ = ["TFRecordOptions", "TFRecordWriter"]
