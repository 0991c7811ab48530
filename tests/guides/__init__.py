"""Programs of guides: functions of the module they run with, whose answers by TensorFlow are recorded.

    $ python -m tests.guides                         # all of them, with this project
    $ .peers/bin/python -m tests.peers.record_guides # with TensorFlow: writes tests/guides/answers
"""
