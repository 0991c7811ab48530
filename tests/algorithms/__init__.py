"""Small programs from textbooks, as they are written, called with tensors in the place of their numbers.

    digits.py, primes.py, ...     families: functions of numbers or texts, each with the values that it is called with
    test_algorithms.py            each as Python runs it, and as a Function; results and errors are the same
    refused.py                    what is refused, and why
"""
