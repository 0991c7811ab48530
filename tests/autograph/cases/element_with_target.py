# calls: [([0, 0],)]
import contextlib
def element_with_target(x):
    manager = contextlib.nullcontext(3)
    with manager as x[0], manager as y:
        pass
    x[1] = y
    return x
# output
def tf__element_with_target(x):
    with ag__.FunctionScope('element_with_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        manager = ag__.converted_call(contextlib.nullcontext, (3,), None, fscope)
        with manager as target:
            x = ag__.set_item(x, 0, target)
            with manager as y:
                pass
        x = ag__.set_item(x, 1, y)
        try:
            do_return = True
            retval_ = x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
