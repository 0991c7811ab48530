"""Names that are not there."""
import runtime as tf
import runtime.autodiff

tf.reduce_summ(1)
# by mypy: error: Module has no attribute "reduce_summ"; maybe "reduce_sum", "reduce_max", or "reduce_min"?  [attr-defined]
# by pyright: error: "reduce_summ" is not a known attribute of module "runtime"
tf.math.logg(1.0)
# by mypy: error: Module has no attribute "logg"; maybe "log"?  [attr-defined]
# by pyright: error: "logg" is not a known attribute of module "runtime.library.math"
tf.linalg.svdd([[1.0]])
# by mypy: error: Module has no attribute "svdd"; maybe "svd"?  [attr-defined]
# by pyright: error: "svdd" is not a known attribute of module "runtime.library.linalg"
tf.nn.reluu(1.0)
# by mypy: error: Module has no attribute "reluu"; maybe "relu", "crelu", or "relu6"?  [attr-defined]
# by pyright: error: "reluu" is not a known attribute of module "runtime.library.nn"
tf.keras.layerz
# by mypy: error: Module has no attribute "layerz"; maybe "layers"?  [attr-defined]
# by pyright: error: "layerz" is not a known attribute of module "runtime.library.keras"
runtime.autodiff.nothing
# by mypy: error: Module has no attribute "nothing"  [attr-defined]
# by pyright: error: "nothing" is not a known attribute of module "runtime.autodiff"
tf.constant(1.0).valu
# by mypy: error: "Tensor" has no attribute "valu"  [attr-defined]
# by pyright: error: Cannot access attribute "valu" for class "Tensor"
tf.late_name("cond")
# by mypy: error: Module has no attribute "late_name"  [attr-defined]
# by pyright: error: "late_name" is not a known attribute of module "runtime"
