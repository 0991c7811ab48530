"""TensorFlow's public names that are not here: what to use in their place, or why there is none.

    meant("runtime.math", "rint")       # '. Use runtime.round', for the errors of runtime.elsewhere

A row is names, and the name here that does the same or comes nearest, or a sentence; what stands further to the right
goes on. Names of layers hold for `runtime.layers` and `runtime.keras.layers`. docs/tensorflow_names.md is made from it,
and tests ask it for every public name.
"""

from __future__ import annotations

from functools import cache
from typing import Final

__all__ = ["meant"]

_TOP: Final = """
    AggregationMethod, VariableAggregation, VariableSynchronization = There is one device here: gradients are summed,
        a Variable has one value.
    CriticalSection = A Function does what it does to Variables in the order of the program; between threads take
        threading.Lock.
    DeviceSpec, dtensor, tpu = There is one device here; other engines take graphs by runtime.to_jax and
        runtime.export.
    OptionalSpec, NoneTensorSpec = A value that may be None is staged as it is.
    RegisterGradient, grad_pass_through = runtime.custom_gradient
    TypeSpec = runtime.experimental.ExtensionType
    TensorArraySpec = runtime.TensorArray
    IndexedSlicesSpec = runtime.IndexedSlices
    approx_top_k = runtime.math.top_k
    audio = Take scipy.io.wavfile for files, and runtime.signal for what is in them.
    bitcast = Take `a.view(dtype)` of an array of NumPy.
    batch_to_space, space_to_batch, space_to_batch_nd, required_space_to_batch_paddings = Convolutions take
        dilations=.
    check_pinned, guarantee_const, load_library, load_op_library, mlir, xla, resource, security, sysconfig, tools,
        variant, version = It belongs to TensorFlow's own engine.
    quantization, qint8, qint16, qint32, quint8, quint16 = There are no quantized types.
    queue = runtime.data.Dataset
    constant_initializer = runtime.layers.initializers.Constant
    ones_initializer = runtime.layers.initializers.Ones
    zeros_initializer = runtime.layers.initializers.Zeros
    random_normal_initializer = runtime.layers.initializers.RandomNormal
    random_uniform_initializer = runtime.layers.initializers.RandomUniform
    initializers = runtime.layers.initializers
    conv = runtime.nn.convolution
    conv2d_backprop_filter_v2, conv2d_backprop_input_v2 = runtime.GradientTape
    double = runtime.float64
    half = runtime.float16
    dynamic_partition = runtime.boolean_mask
    dynamic_stitch, parallel_stack = runtime.tensor_scatter_nd_update
    edit_distance = Write it as two loops over a table: they are staged.
    extract_volume_patches = Slice the volume: x[:, i : i + n, j : j + n, k : k + n].
    feature_column, lookup = Take a dict, or runtime.strings.to_hash_bucket_fast, before the model.
    fftnd, ifftnd, rfftnd, irfftnd = runtime.numpy.fft
    fingerprint = runtime.strings.to_hash_bucket_strong
    get_current_name_scope = Operations are named by the functions that they come from.
    get_logger = Take Python's logging.
    get_static_value = While a function is traced, Python's numbers are the values that are known.
    graph_util, import_graph_def = runtime.saved_model
    hessians = Take a runtime.GradientTape in another one, and its jacobian.
    inside_function = runtime.executing_eagerly
    is_symbolic_tensor = runtime.is_tensor
    identity_n = Take runtime.nest.map_structure(runtime.identity, values).
    make_ndarray = Take tensor.numpy().
    make_tensor_proto = runtime.io.serialize_tensor
    matrix_square_root = Take eigenvalues and vectors: runtime.linalg.eigh.
    nondifferentiable_batch_function = runtime.vectorized_map
    no_gradient = runtime.stop_gradient
    ragged_fill_empty_rows, ragged_fill_empty_rows_grad = Take row_lengths() of the ragged tensor, and where.
    random_index_shuffle = runtime.random.shuffle
    reverse_sequence = Take runtime.gather with batch_dims=1 and indices that run backwards.
    saturate_cast = runtime.clip_by_value
    scalar_mul = runtime.multiply
    timestamp = Take time.time() before the call; what a trace reads of the clock stays as it is.
    truncatediv, truncatemod = Divide by `/` and cast to the integer type, which cuts off.
    tuple = runtime.group
    unravel_index = runtime.numpy.unravel_index
    variable_creator_scope = Make Variables in a function of your own.
    histogram_fixed_width_bins = runtime.searchsorted
"""
_MATH: Final = """
    accumulate_n = runtime.add_n
    approx_max_k, approx_min_k = runtime.math.top_k
    bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, betainc, erfcinv, igamma, igammac, lbeta, ndtri, polygamma, special,
        zeta = Call the function of scipy.special by runtime.py_function.
    is_non_decreasing = Take runtime.reduce_all(x[1:] >= x[:-1]).
    is_strictly_increasing = Take runtime.reduce_all(x[1:] > x[:-1]).
    multiply_no_nan, xlogy, xlog1py, xdivy = Take runtime.where for the zeros.
    reciprocal_no_nan = runtime.math.divide_no_nan
    polyval = runtime.numpy.polyval
    reduce_euclidean_norm = runtime.norm
    rint = runtime.round
    scalar_mul = runtime.multiply
    sobol_sample = Take scipy.stats.qmc before the call.
"""
_NN: Final = """
    RNNCellDeviceWrapper, RNNCellDropoutWrapper, RNNCellResidualWrapper = Write a cell of your own, and give it to
        runtime.layers.RNN.
    all_candidate_sampler, compute_accidental_hits, fixed_unigram_candidate_sampler,
        learned_unigram_candidate_sampler, nce_loss, sampled_softmax_loss = Losses over samples of the classes are not
        provided; take nn.softmax_cross_entropy_with_logits.
    approx_max_k, approx_min_k = runtime.math.top_k
    atrous_conv2d, with_space_to_batch = runtime.nn.conv2d
    atrous_conv2d_transpose, conv_transpose = runtime.nn.conv2d_transpose
    batch_norm_with_global_normalization = runtime.nn.batch_normalization
    collapse_repeated, ctc_beam_search_decoder, ctc_greedy_decoder, ctc_loss, ctc_unique_labels = It is not provided:
        write it as a loop, which is staged and has gradients.
    compute_average_loss, scale_regularization_loss = runtime.reduce_mean
    depth_to_space, space_to_depth, space_to_batch = Take runtime.reshape and runtime.transpose.
    depthwise_conv2d_backprop_filter, depthwise_conv2d_backprop_input = runtime.GradientTape
    dilation2d, erosion2d, fractional_avg_pool, fractional_max_pool, max_pool_with_argmax, pool = runtime.nn.max_pool
    embedding_lookup_sparse, safe_embedding_lookup_sparse = runtime.nn.embedding_lookup
    experimental = Functions of experimental rooms are not provided.
    isotonic_regression = It is not provided: write it as a loop, which is staged.
    local_response_normalization, lrn, normalize_moments, sufficient_statistics, weighted_moments = runtime.nn.moments
    log_poisson_loss = Take runtime.exp(y) - target * y.
"""
_DATA: Final = """
    NumpyIterator = runtime.data.Iterator
    FixedLengthRecordDataset = Read the file by numpy.fromfile, and take Dataset.from_tensor_slices.
    Options, ThreadingOptions = Steps take their options as arguments: num_parallel_calls=, deterministic=.
"""
_LAYERS: Final = """
    ActivityRegularization = Call add_loss in the `call` of a layer, or give activity_regularizer= to the one before.
    SpectralNormalization = Divide the kernel by runtime.linalg.svd's first number in a layer of your own.
    AdaptiveAveragePooling1D, AdaptiveAveragePooling2D, AdaptiveAveragePooling3D = runtime.layers.AveragePooling2D
    AdaptiveMaxPooling1D, AdaptiveMaxPooling2D, AdaptiveMaxPooling3D = runtime.layers.MaxPooling2D
    GroupQueryAttention = runtime.layers.MultiHeadAttention
    AlphaDropout, GaussianDropout, GaussianNoise, SpatialDropout1D, SpatialDropout2D, SpatialDropout3D =
        runtime.layers.Dropout
    AugMix, AutoContrast, CenterCrop, ContrastLimitedAdaptiveHistogramEqualization, CutMix, Equalization,
        MaxNumBoundingBoxes, MixUp, Pipeline, RandAugment, RandomBrightness, RandomColorDegeneration,
        RandomColorJitter, RandomContrast, RandomCrop, RandomElasticTransform, RandomErasing, RandomFlip,
        RandomGaussianBlur, RandomGrayscale, RandomHeight, RandomHue, RandomInvert, RandomPerspective,
        RandomPosterization, RandomRotation, RandomSaturation, RandomSharpness, RandomShear, RandomTranslation,
        RandomWidth, RandomZoom, Resizing, Solarization = Change images by runtime.image in Dataset.map.
    CategoryEncoding, Discretization, HashedCrossing, Hashing, IntegerLookup, StringLookup, TextVectorization,
        Normalization = Prepare columns in Dataset.map: runtime.one_hot, searchsorted, strings.to_hash_bucket_fast.
    ConvLSTM1D, ConvLSTM2D, ConvLSTM3D = Write a cell with a convolution, and give it to runtime.layers.RNN.
    ELU, PReLU, ThresholdedReLU = runtime.layers.LeakyReLU
    EinsumDense = runtime.einsum
    FlaxLayer, JaxLayer, TFSMLayer, TorchModuleWrapper = Layers of other libraries do not run in these graphs.
    GroupNormalization, RMSNormalization, UnitNormalization = runtime.layers.LayerNormalization
    Identity, Permute, RepeatVector, Rescaling, Masking, TimeDistributed, Wrapper, ReversibleEmbedding =
        runtime.layers.Lambda
    InputSpec = runtime.TensorSpec
    MelSpectrogram, STFTSpectrogram = runtime.signal.stft
    StackedRNNCells = Put several layers.RNN into a keras.Sequential.
    deserialize, serialize = runtime.saved_model
"""
_TABLES: Final = {
    "runtime": _TOP, "runtime.math": _MATH, "runtime.nn": _NN, "runtime.data": _DATA, "runtime.layers": _LAYERS,
    "runtime.keras.layers": _LAYERS,
}  # fmt: skip


def meant(module: str, name: str) -> str:
    """What follows `module 'm' has no attribute 'n'` for a name of TensorFlow's; the empty text for another."""
    use = _rows(_TABLES.get(module, "")).get(name, "")
    if use.endswith("."):
        return f": {use[:-1]}"
    return f". Use {use}" if use else ""


@cache
def _rows(table: str) -> dict[str, str]:
    pairs = (row.split(" = ", 1) for row in table.replace("\n        ", " ").strip().splitlines())
    return {name: use for names, use in pairs for name in names.strip().split(", ")}
