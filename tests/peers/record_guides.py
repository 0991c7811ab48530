"""Records what TensorFlow answers to the programs of the guides, for `python -m tests.guides`.

    $ .peers/bin/python -m tests.peers.record_guides [guide ...]
"""

from __future__ import annotations

import os
import sys
import warnings

from tests.guides.answers import answer, write
from tests.guides.programs import GUIDES

if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.simplefilter("ignore")
    import tensorflow

    for guide in sys.argv[1:] or GUIDES:
        answers = {}
        for name, program in GUIDES[guide].items():
            tensorflow.keras.utils.set_random_seed(1)
            found = answers[name] = answer(program, tensorflow)
            if isinstance(found, dict) and "raises" in found:
                print(f"{guide}: {name} raises {found['raises']}")
        write(guide, answers)
        print(f"{guide}: {len(answers)} answers")
