"""Arguments of the programs of tests/numpy_programs as large as a scientist runs them: NumPy takes 1 to 100 ms a call.

    sized("heat_by_slices")     (u, 0.4, 500), u of 2,000 elements; None: there are only the small arguments

The arguments of the tests have a few elements, with which a call costs as much as what it computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["SIZES", "sized"]


def sized(name: str) -> tuple[Any, ...] | None:
    """Fresh arguments for a program, the same ones each time; None if there are no others than its test has."""
    make = SIZES.get(name)
    return None if make is None else make(np.random.default_rng(7))


def _positive(r: Any, n: int) -> Any:
    a = r.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _dominant(r: Any, n: int) -> Any:
    return r.normal(size=(n, n)) + 2 * n * np.eye(n)


def _distances(r: Any, n: int) -> Any:
    d = np.where(r.random((n, n)) < 0.3, r.integers(1, 20, (n, n)).astype(float), np.inf)
    np.fill_diagonal(d, 0.0)
    return d


def _directed(r: Any, n: int) -> Any:
    return np.triu((r.random((n, n)) < 0.1).astype(int), 1)


def _labelled(r: Any, n: int, k: int = 2) -> tuple[Any, Any]:
    labels = np.arange(n) % 2
    return r.normal(size=(n, k)) + 4.0 * labels[:, None], labels


def _letters(r: Any, n: int) -> Any:
    return np.frombuffer(bytes(r.choice([65, 67, 71, 84], n).astype(np.uint8)), dtype=np.uint8)


def _markov(r: Any, states: int, kinds: int, length: int) -> tuple[Any, ...]:
    a, b = r.random((states, states)) + 0.1, r.random((states, kinds)) + 0.1
    start = np.full(states, 1 / states)
    return a / a.sum(1, keepdims=True), b / b.sum(1, keepdims=True), start, r.integers(0, kinds, length)


def _sparse(r: Any, n: int, each: int) -> tuple[Any, ...]:
    return r.normal(size=n * each), r.integers(0, n, n * each), np.arange(n + 1) * each, r.normal(size=n)


SIZES: Final[dict[str, Callable[[Any], tuple[Any, ...]]]] = {
    # codes
    "bubble_sort": lambda r: (r.integers(0, 1000, 150),),
    "insertion_sort": lambda r: (r.integers(0, 1000, 200),),
    "merge_sort": lambda r: (r.integers(0, 1000, 1000),),
    "quick_sort": lambda r: (r.integers(0, 1000, 1000),),
    "heap_sort": lambda r: (r.integers(0, 1000, 500),),
    "counting_sort": lambda r: (r.integers(0, 50, 5000), 50),
    "crc32": lambda r: (_letters(r, 2000),),
    "lfsr": lambda r: (0b1001, 10_000),
    "xorshift": lambda r: (np.array([123456789], dtype=np.uint32), 2000),
    "run_lengths": lambda r: (r.integers(0, 3, 5000),),
    "run_lengths_by_differences": lambda r: (r.integers(0, 3, 200_000),),
    "sieve": lambda r: (200_000,),
    "digits_in_base": lambda r: (r.integers(0, 1 << 30, 10_000), 2, 32),
    "count_words": lambda r: (_letters(r, 5000), 2),
    "find_pattern": lambda r: (_letters(r, 5000), _letters(r, 8)),
    "binary_search": lambda r: (np.arange(0, 2_000_000, 2), 777_777),
    "prefix_sums": lambda r: (r.integers(0, 9, 200_000), np.sort(r.integers(0, 200_000, (50_000, 2)), axis=1)),
    # curves
    "horner": lambda r: (r.normal(size=40), r.normal(size=20_000)),
    "lagrange": lambda r: (np.arange(20.0), r.normal(size=20), np.linspace(0, 19, 1000)),
    "divided_differences": lambda r: (np.arange(60.0), r.normal(size=60), 1.7),
    "natural_spline": lambda r: (np.arange(200.0), r.normal(size=200), np.linspace(0, 199, 2000)),
    "polynomial_product": lambda r: (r.normal(size=1000), r.normal(size=1000)),
    "durand_kerner": lambda r: (np.array([1.0, -15, 85, -225, 274, -120]), 40),
    "bezier": lambda r: (r.normal(size=(4, 2)), 2000),
    "polygon": lambda r: (r.normal(size=2000), r.normal(size=2000), 0.1, 0.1),
    "convex_hull": lambda r: (r.normal(size=(500, 2)),),
    # dynamic programming
    "edit_distance": lambda r: (_letters(r, 100), _letters(r, 100)),
    "matrix_chain": lambda r: (r.integers(2, 40, 40),),
    "knapsack": lambda r: (r.integers(1, 30, 40), r.integers(1, 90, 40), 300),
    "longest_common_subsequence": lambda r: (_letters(r, 100), _letters(r, 100)),
    "smith_waterman": lambda r: (_letters(r, 80), _letters(r, 80), 2, -1, -1),
    "levenshtein_two_rows": lambda r: (_letters(r, 100), _letters(r, 100)),
    "maximum_subarray": lambda r: (r.integers(-9, 9, 10_000),),
    "longest_increasing": lambda r: (r.integers(0, 1000, 150),),
    "time_warping": lambda r: (r.normal(size=100), r.normal(size=100)),
    "coins": lambda r: (np.array([1, 5, 10, 25]), 5000),
    "seam": lambda r: (r.uniform(size=(80, 80)),),
    # graphs
    "dijkstra": lambda r: (_distances(r, 80), 0),
    "floyd_warshall": lambda r: (_distances(r, 40),),
    "floyd_warshall_by_rows": lambda r: (_distances(r, 100),),
    "bellman_ford": lambda r: (r.integers(0, 50, (300, 2)), r.uniform(1, 9, 300), 50),
    "topological_sort": lambda r: (_directed(r, 80),),
    "transitive_closure": lambda r: (_directed(r, 150) > 0,),
    "union_find": lambda r: (r.integers(0, 1000, (1000, 2)), 1000),
    "connected_components": lambda r: (r.integers(0, 2, (20, 20)),),
    "dbscan": lambda r: (r.normal(size=(60, 2)), 0.5, 3),
    "minimum_spanning_tree": lambda r: (_distances(r, 300),),
    "game_of_nim": lambda r: (r.integers(1, 9, (20_000, 4)), 20),
    # iterations
    "conjugate_gradient": lambda r: (_positive(r, 300), r.normal(size=300), 1e-10),
    "jacobi_iteration": lambda r: (_dominant(r, 300), r.normal(size=300), np.zeros(300), 1e-10),
    "sor": lambda r: (_dominant(r, 60), r.normal(size=60), np.zeros(60), 1e-8, 1.1),
    "gauss_seidel": lambda r: (_dominant(r, 60).astype(np.float32), r.normal(size=60).astype(np.float32), 8),
    "power_iteration": lambda r: (_positive(r, 300), 200, 1e-9),
    "rayleigh_quotient": lambda r: (_positive(r, 60), np.ones(60)),
    "qr_eigenvalues": lambda r: (_positive(r, 60), 20),
    "jacobi_rotations": lambda r: (_positive(r, 12), 3),
    "csr_product": lambda r: _sparse(r, 500, 8),
    "coo_to_dense_and_back": lambda r: (*r.integers(0, 1000, (2, 20_000)), r.normal(size=20_000), 1000),
    "pagerank": lambda r: (r.integers(0, 2, (300, 300)), 0.85, 1e-10),
    # learning
    "k_means": lambda r: ((p := _labelled(r, 500)[0]), p[:5].copy(), 20),
    "em_mixture": lambda r: (r.normal(size=5000), np.array([-1.0, 5.0]), np.ones(2), np.array([0.5, 0.5]), 20),
    "least_squares": lambda r: (r.normal(size=(2000, 20)), r.normal(size=2000)),
    "lasso": lambda r: (r.normal(size=(200, 10)), r.normal(size=200), 0.3, 1e-7),
    "logistic_regression": lambda r: (*_labelled(r, 2000), np.zeros(2), 0.0, 0.1, 50),
    "perceptron": lambda r: ((d := _labelled(r, 300))[0], np.where(d[1] == 1, 1, -1), 0.5, 10),
    "softmax_regression": lambda r: (*_labelled(r, 2000), 3),
    "naive_bayes": lambda r: (*_labelled(r, 5000), r.normal(size=(500, 2))),
    "pca_by_power_iteration": lambda r: (r.normal(size=(1000, 20)) * np.linspace(3, 0.1, 20), 2),
    "nearest_neighbours": lambda r: (*_labelled(r, 500), r.normal(size=(100, 2)), 3),
    "gaussian_process": lambda r: ((x := r.normal(size=(60, 1))), np.sin(x[:, 0]), np.linspace(-1, 1, 50)[:, None],
                                   0.7, 1e-3),
    "two_layer_network": lambda r: (r.normal(size=(2000, 2)), 0.1 * r.normal(size=(2, 50)), np.zeros(50),
                                    0.1 * r.normal(size=(50, 1)), 0.01, 20),
    # linear algebra
    "lu_with_pivoting": lambda r: (r.normal(size=(80, 80)),),
    "householder_qr": lambda r: (r.normal(size=(80, 60)),),
    "cholesky": lambda r: (_positive(r, 40),),
    "solve_by_elimination": lambda r: (_dominant(r, 60), r.normal(size=60)),
    "triangular_solves": lambda r: (np.tril(_dominant(r, 200)), r.normal(size=200)),
    "thomas": lambda r: (np.full(2000, -1.0), np.full(2000, 4.0), np.full(2000, -1.5), r.normal(size=2000)),
    "determinant": lambda r: (r.normal(size=(50, 50)),),
    "gauss_jordan_inverse": lambda r: (_dominant(r, 60),),
    "modified_gram_schmidt": lambda r: (r.normal(size=(100, 60)),),
    "minor_and_cofactor": lambda r: (r.normal(size=(150, 150)), 1),
    "rotation_between_points": lambda r: (r.normal(size=(20_000, 4)), r.normal(size=(20_000, 4))),
    # differential equations
    "euler_decay": lambda r: (1.0, 0.0, 2.0, 5000),
    "rk4_oscillator": lambda r: (np.array([1.0, 0.0]), 0.01, 500),
    "rkf45_lotka_volterra": lambda r: (np.array([1.0, 1.0]), 0.0, 20.0, 1e-8),
    "heat_by_loops": lambda r: (np.sin(np.linspace(0, np.pi, 100)), 0.4, 100),
    "heat_by_slices": lambda r: (np.sin(np.linspace(0, np.pi, 2000)).astype(np.float32), 0.4, 500),
    "wave_equation": lambda r: (np.exp(-np.linspace(-3, 3, 1000) ** 2), 0.5, 500),
    "upwind_advection": lambda r: (np.where(np.arange(2000) < 800, 1.0, 0.0), -0.6, 500),
    "crank_nicolson": lambda r: (np.linspace(0, 1, 100) * (1 - np.linspace(0, 1, 100)), 0.8, 50),
    "n_body": lambda r: (r.normal(size=(60, 2)), r.normal(size=(60, 2)), r.uniform(1, 2, 60), 0.01, 50),
    # probability
    "viterbi": lambda r: _markov(r, 20, 10, 500),
    "hmm_forward_backward": lambda r: _markov(r, 20, 10, 500),
    "kalman_filter": lambda r: (r.normal(size=(300, 2)), np.eye(4) + 0.1 * np.eye(4, k=2), 0.01, 0.5),
    "monte_carlo_pi": lambda r: (r.uniform(-1, 1, size=(200_000, 2)),),
    "metropolis": lambda r: (r.normal(size=5000), r.uniform(size=5000), 0.3),
    "ising": lambda r: (r.choice([-1, 1], (40, 40)), r.integers(0, 40, (5000, 2)), r.uniform(size=5000), 0.44),
    "random_walk": lambda r: (r.integers(0, 4, 5000), 2000),
    "black_scholes": lambda r: (100.0, np.linspace(50, 150, 20_000), 0.03, 0.25, 0.5),
    "binomial_tree": lambda r: (100.0, 95.0, 0.05, 0.3, 1.0, 500, True),
    "annealed_tour": lambda r: (r.uniform(size=(20, 2)), r.integers(0, 20, (200, 2)), r.uniform(size=200), 1.0),
    "inverse_sampling": lambda r: (np.full(50, 0.02), r.uniform(size=20_000)),
    "systematic_resampling": lambda r: (r.uniform(size=2000), np.sort(r.uniform(size=2000))),
    # roots
    "nelder_mead": lambda r: (np.array([[-1.2, 1.0], [0.0, 0.0], [1.0, 2.0]]), 200),
    "simpson": lambda r: (0.0, np.pi, 50_000),
    "romberg": lambda r: (0.0, 1.0, 12),
    "gauss_legendre": lambda r: (-1.0, 2.0, 40),
    "contour_integral": lambda r: (20_000, 1.0 + 0.5j),
    "newton_fractal": lambda r: (np.linspace(-1.5, 1.5, 80), np.linspace(-1.5, 1.5, 80), 20),
    # signals
    "fft_by_hand": lambda r: (r.normal(size=512),),
    "dft_by_recursion": lambda r: (r.normal(size=512),),
    "convolution": lambda r: (r.normal(size=2000), r.normal(size=16)),
    "moving_average": lambda r: (r.normal(size=2000), 16),
    "autocorrelation": lambda r: (r.normal(size=5000), 50),
    "histogram": lambda r: (r.normal(size=5000), 20),
    "sharpened": lambda r: (r.uniform(size=(40, 40)), np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])),
    "sobel": lambda r: (r.uniform(size=(300, 300)),),
    "median_filter": lambda r: (r.uniform(size=(100, 100)),),
    "otsu_threshold": lambda r: (r.integers(0, 256, (1000, 1000)),),
    "bilinear": lambda r: (r.uniform(size=(100, 100)), r.uniform(0, 98, 20_000), r.uniform(0, 98, 20_000)),
    "game_of_life": lambda r: (r.integers(0, 2, (20, 20)), 4),
    "mandelbrot_by_points": lambda r: (40, 30, 50),
    "mandelbrot_by_masks": lambda r: (np.linspace(-2, 0.5, 120), np.linspace(-1.2, 1.2, 100), 50),
    "mandelbrot_of_reals": lambda r: (np.linspace(-2, 0.5, 40), np.linspace(-1.2, 1.2, 30), 50),
}
