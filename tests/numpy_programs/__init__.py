"""Programs as a scientist writes them with NumPy, called with ndarrays, and with tensors for arrays or for numbers.

    odes.py, linear_algebra.py, ...   families: functions with the arguments that they are called with
    comparing.py                      runs a program as Python and as a Function, compares results and arguments
    test_programs.py                  every program in every mode
    test_gradients.py                 the gradients of some of them, against central differences
    refused.py                        what is refused in some mode, and why
"""
