"""What the project costs in time and memory: one command measures and prints a table of Markdown.

    $ python -m benchmarks                     # about a minute; --write puts the table into README.md
    $ python -m benchmarks conversion calls    # only these sections

Each file here but the tools (`measure`, `report`, `programs`) is a section: a function `rows` that measures.
"""
