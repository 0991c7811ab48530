"""Freed memory of arrays stays with the process, up to 64 MB, for the arrays that come next.

A program over arrays makes and frees some of a few megabytes in each turn of its loop. The allocator of glibc gives
memory of that size back to the system and asks for it again, which costs as much as the arithmetic on it: each page is
new, and cleared. It keeps what is as small as something that was freed before; so the largest that it would learn from
is made and freed here once, without a page of it being touched. Other allocators have rules of their own, and where
MALLOC_MMAP_THRESHOLD_ or its kin are set, those hold.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["keep_freed_memory"]

LARGEST: Final = (32 << 20) - (64 << 10)
"""Just below the size from which glibc learns nothing."""


def keep_freed_memory() -> None:
    """Has the allocator keep freed memory for arrays of up to 32 MB."""
    np.empty(LARGEST, np.uint8)
