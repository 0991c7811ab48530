# to_code: comparison_equality_feature, experimental_optional_features=Feature.EQUALITY_OPERATORS
# calls: [(1, 1), (1, 2)]
from autograph import Feature

def comparison_equality_feature(a, b):
    return a == b, a != b
# output
def tf__comparison_equality_feature(a, b):
    with ag__.FunctionScope('comparison_equality_feature', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(ag__.Feature.EQUALITY_OPERATORS,), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (ag__.eq(a, b), ag__.not_eq(a, b))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
