"""TensorFlow's public names that are not here: what to use in their place, or why there is none.

    meant("runtime.math", "rint")       # '. Use runtime.round', for the errors of runtime.elsewhere

A row is names, and the name here that does the same or comes nearest, or a sentence; what stands further to the right
goes on. Names of layers, losses, metrics and optimizers hold for `runtime.keras`, too. docs/tensorflow_names.md is made
from it, and tests ask it for every public name.
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
_LOSSES: Final = """
    BinaryFocalCrossentropy, binary_focal_crossentropy = runtime.losses.BinaryCrossentropy
    CategoricalFocalCrossentropy, CategoricalGeneralizedCrossEntropy, categorical_focal_crossentropy,
        categorical_generalized_cross_entropy = runtime.losses.CategoricalCrossentropy
    CTC, ctc = It is not provided: write it as a loop, which is staged and has gradients.
    CategoricalHinge, Hinge, SquaredHinge, categorical_hinge, hinge, squared_hinge = Compile with a function of your
        own: for y of -1 and 1 it is runtime.maximum(1 - y * p, 0).
    Circle, CosineSimilarity, Dice, Tversky, circle, cosine_similarity, dice, tversky = Compile with a function of your
        own, which takes y_true and y_pred.
    KLD, KLDivergence, kld, kullback_leibler_divergence = Compile with a function of your own:
        runtime.reduce_sum(y * runtime.math.log(y / p), -1).
    LogCosh, logcosh = runtime.losses.Huber
    MAPE, MeanAbsolutePercentageError, mape = runtime.losses.MeanAbsoluteError
    MSLE, MeanSquaredLogarithmicError, msle = Take runtime.losses.MeanSquaredError of runtime.math.log1p(y).
    Poisson, poisson = Compile with a function of your own: p - y * runtime.math.log(p).
    deserialize, get, serialize = compile takes names of losses, objects and functions; keras.models.save_model keeps
        them.
"""
_METRICS: Final = """
    BinaryIoU, IoU, MeanIoU, OneHotIoU, OneHotMeanIoU = runtime.math.confusion_matrix
    F1Score, FBetaScore = Take runtime.metrics.Precision and Recall: 2 * p * r / (p + r).
    FalseNegatives, FalsePositives, TrueNegatives, TruePositives = Take the attributes true_positives and
        false_positives of runtime.metrics.Precision.
    PrecisionAtRecall, RecallAtPrecision, SensitivityAtSpecificity, SpecificityAtSensitivity = Take
        runtime.metrics.Precision and Recall with a list of thresholds.
    TopKCategoricalAccuracy, SparseTopKCategoricalAccuracy, top_k_categorical_accuracy,
        sparse_top_k_categorical_accuracy = Take runtime.metrics.Mean of runtime.math.in_top_k.
    CategoricalHinge, CosineSimilarity, Hinge, KLD, KLDivergence, LogCoshError, MAPE, MSLE, MeanAbsolutePercentageError,
        MeanMetricWrapper, MeanSquaredLogarithmicError, Poisson, RootMeanSquaredError, SquaredHinge,
        binary_focal_crossentropy, categorical_focal_crossentropy, categorical_hinge, hinge, kld,
        kullback_leibler_divergence, logcosh, mape, msle, poisson, squared_hinge = Take runtime.metrics.Mean of what a
        function of your own gives, or compile with that function.
    ConcordanceCorrelation, PearsonCorrelation, R2Score, concordance_correlation, pearson_correlation = Keep the sums
        in a runtime.metrics.Metric of your own.
    deserialize, get, serialize = compile takes names of metrics, objects and functions; keras.models.save_model keeps
        them.
"""
_OPTIMIZERS: Final = """
    Adadelta, Adafactor, Adamax, Ftrl, Lamb, Lion, Muon, Nadam, ScheduleFreeAdamW = Take
        runtime.optimizers.Adam, or write a runtime.optimizers.Optimizer with slot_names and update.
    LossScaleOptimizer = Multiply the loss, and divide the gradients by the same number.
    MultiOptimizer, OptimizerMap = Give each optimizer its own variables in apply_gradients.
    deserialize, get, serialize = compile takes names of optimizers and objects; keras.models.save_model keeps them.
    legacy = The optimizers have one form here.
"""
_CALLBACKS: Final = """
    BackupAndRestore, OrbaxCheckpoint = runtime.keras.callbacks.ModelCheckpoint
    CSVLogger, RemoteMonitor = Write the numbers in a runtime.keras.callbacks.LambdaCallback, or take what fit returns.
    ProgbarLogger = fit shows its progress: verbose=1.
    SwapEMAWeights = Keep running means of the weights in a runtime.keras.callbacks.Callback of your own.
    TensorBoard = Write by runtime.summary in a runtime.keras.callbacks.LambdaCallback.
"""
_UTILS: Final = """
    clear_session = runtime.keras.backend.clear_session
    is_keras_tensor = runtime.is_tensor
    normalize = runtime.math.l2_normalize
    get_source_inputs = Take model.inputs.
    CustomObjectScope, custom_object_scope, deserialize_keras_object, get_custom_objects, get_registered_name,
        get_registered_object, register_keras_serializable, serialize_keras_object = Give classes of your own to
        runtime.keras.models.load_model: custom_objects=.
    array_to_img, img_to_array, load_img, save_img = Images are arrays here: runtime.image.decode_png and encode_png.
    bounding_boxes = runtime.image.non_max_suppression
    audio_dataset_from_directory, image_dataset_from_directory, text_dataset_from_directory = Take
        runtime.data.Dataset.list_files, and read each file in map.
    timeseries_dataset_from_array = Take runtime.data.Dataset.from_tensor_slices and window.
    pad_sequences = Take runtime.ragged.constant(rows).to_tensor().
    PyDataset, Sequence = fit takes a runtime.data.Dataset: from_generator makes one.
    split_dataset = Take dataset.take(n) and dataset.skip(n).
    pack_x_y_sample_weight, unpack_x_y_sample_weight = Batches are tuples: x, (x, y) or (x, y, weights).
    FeatureSpace = Prepare columns in Dataset.map.
    Progbar, disable_interactive_logging, enable_interactive_logging, is_interactive_logging_enabled = Take verbose= of
        fit.
    Config, legacy = It belongs to Keras's own machinery.
    get_file = Take urllib.request.urlretrieve.
    model_to_dot, plot_model = A model shows itself in a notebook; take the to_dot() of a graph.
    standardize_dtype = runtime.as_dtype
"""
_INITIALIZERS: Final = """
    constant = runtime.layers.initializers.Constant
    glorot_normal = runtime.layers.initializers.GlorotNormal
    glorot_uniform = runtime.layers.initializers.GlorotUniform
    he_normal = runtime.layers.initializers.HeNormal
    he_uniform, lecun_uniform, LecunUniform = runtime.layers.initializers.HeUniform
    lecun_normal = runtime.layers.initializers.LecunNormal
    ones = runtime.layers.initializers.Ones
    orthogonal, OrthogonalInitializer = runtime.layers.initializers.Orthogonal
    random_normal = runtime.layers.initializers.RandomNormal
    random_uniform = runtime.layers.initializers.RandomUniform
    truncated_normal = runtime.layers.initializers.TruncatedNormal
    variance_scaling = runtime.layers.initializers.VarianceScaling
    zeros = runtime.layers.initializers.Zeros
    Identity, IdentityInitializer, identity = Give a function: lambda shape, dtype=None: runtime.eye(*shape).
    STFT, STFTInitializer, stft = runtime.signal.stft
    Initializer = An initializer is a function of a shape and a dtype.
    deserialize, serialize = Layers take names of initializers and objects; keras.models.save_model keeps them.
"""
_REGULARIZERS: Final = """
    OrthogonalRegularizer, orthogonal_regularizer = Give a function of the weights: it returns the term of the loss.
    deserialize, serialize = Layers take names of regularizers and objects; keras.models.save_model keeps them.
"""
_ACTIVATIONS: Final = """
    celu = runtime.nn.elu
    glu = Take a, b = runtime.split(x, 2, axis=-1): a * runtime.sigmoid(b).
    hard_sigmoid = Take runtime.nn.relu6(x + 3) / 6.
    hard_silu, hard_swish = Take x * runtime.nn.relu6(x + 3) / 6.
    hard_tanh = Take runtime.clip_by_value(x, -1, 1).
    log_sigmoid = runtime.math.log_sigmoid
    mish = Take x * runtime.tanh(runtime.nn.softplus(x)).
    tanh_shrink = Take x - runtime.tanh(x).
    squareplus = Take (x + runtime.sqrt(x * x + 4)) / 2.
    hard_shrink, soft_shrink, sparse_plus, sparse_sigmoid, sparsemax, threshold = Give a function of your own: any
        function is an activation.
    deserialize, serialize = Layers take names of activations and functions; keras.models.save_model keeps them.
"""
_TABLES: Final = {
    "runtime": _TOP, "runtime.math": _MATH, "runtime.nn": _NN, "runtime.data": _DATA, "runtime.layers": _LAYERS,
    "runtime.keras.layers": _LAYERS, "runtime.losses": _LOSSES, "runtime.keras.losses": _LOSSES,
    "runtime.metrics": _METRICS, "runtime.keras.metrics": _METRICS, "runtime.optimizers": _OPTIMIZERS,
    "runtime.keras.optimizers": _OPTIMIZERS, "runtime.keras.callbacks": _CALLBACKS, "runtime.keras.utils": _UTILS,
    "runtime.keras.initializers": _INITIALIZERS, "runtime.keras.regularizers": _REGULARIZERS,
    "runtime.keras.activations": _ACTIVATIONS,
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
