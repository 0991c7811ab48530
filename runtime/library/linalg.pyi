# Made by docs/stub_files.py from the records in runtime/ops: change those, then run it again.

from builtins import bool as _bool
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload

import numpy as _np

from runtime.composite.ragged_tensor import RaggedTensor as _RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor as _SparseTensor
from runtime.dtypes import DType as _DType
from runtime.tensor.tensor import Tensor as _Tensor
from runtime.tensor.tensor_like import TensorLike as _TensorLike

_AxesLike: _TypeAlias = _SupportsIndex | _Sequence[_SupportsIndex] | None
_DTypeLike: _TypeAlias = _DType | str | type[_Any] | _np.dtype[_Any]

from runtime.library.matrices import adjoint as adjoint
def band_part(input: _TensorLike, num_lower: _TensorLike, num_upper: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
def cholesky(input: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
from runtime.library.matrices import cholesky_solve as cholesky_solve
from runtime.library.matrices import cross as cross
def det(input: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
from runtime.library.matrices import diag as diag
from runtime.library.matrices import diag_part as diag_part
def eig(tensor: _TensorLike, *, name: str | None = ...) -> tuple[_Tensor, _Tensor]: ...
from runtime.library.matrices import eigh as eigh
def eigvals(tensor: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
def eigvalsh(tensor: _TensorLike, *, name: str | None = ...) -> _Tensor: ...
from runtime.library.arrays import einsum as einsum
from runtime.library.arrays import eye as eye
from runtime.library.clipping import global_norm as global_norm
from runtime.library.matrices import inv as inv
from runtime.library.matrices import logdet as logdet
from runtime.library.matrices import lstsq as lstsq
from runtime.library.arrays import matmul as matmul
from runtime.library.matrices import matrix_rank as matrix_rank
from runtime.library.matrices import matrix_transpose as matrix_transpose
from runtime.library.matrices import matvec as matvec
from runtime import norm as norm
from runtime.library.matrices import normalize as normalize
from runtime.library.matrices import pinv as pinv
from runtime.library.matrices import qr as qr
from runtime.library.matrices import set_diag as set_diag
from runtime.library.matrices import slogdet as slogdet
from runtime.library.matrices import solve as solve
from runtime.library.matrices import svd as svd
from runtime import tensordot as tensordot
from runtime.library.matrices import trace as trace
from runtime.library.matrices import triangular_solve as triangular_solve

__all__ = ['adjoint', 'band_part', 'cholesky', 'cholesky_solve', 'cross', 'det', 'diag', 'diag_part', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'einsum', 'eye', 'global_norm', 'inv', 'logdet', 'lstsq', 'matmul', 'matrix_rank', 'matrix_transpose', 'matvec', 'norm', 'normalize', 'pinv', 'qr', 'set_diag', 'slogdet', 'solve', 'svd', 'tensordot', 'trace', 'triangular_solve']
