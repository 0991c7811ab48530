"""Small programs from textbooks, as they are written, called with tensors in the place of their numbers.

    digits.py, primes.py, ...     families: functions of numbers or texts, each with the values that it is called with
    sorting.py, graphs.py, ...    families: functions of lists and tables of numbers
    test_algorithms.py            each as Python runs it, and as a Function; results and errors are the same
    test_list_programs.py         those of lists: tensors for lists, for the numbers in them, for the others, for all
    refused.py                    what is refused, and why
"""
