# calls: [(3, []), (-3, [])]
def if_only_effects(x, out):
    if x > 0:
        out.append(x)
    return out
# output
def tf__if_only_effects(x, out):
    with ag__.FunctionScope('if_only_effects', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return ()

        def set_state(vars_):
            pass

        def if_body():
            ag__.converted_call(out.append, (x,), None, fscope)

        def else_body():
            pass
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, (), 0)
        try:
            do_return = True
            retval_ = out
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
