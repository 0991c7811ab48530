# calls: [(0,), (3,)]
def frame_readers(n):
    total = 1
    if n > 1:
        step = n
        total = eval('total + step')
    return sorted(locals()), total
# output
def tf__frame_readers(n):
    with ag__.FunctionScope('frame_readers', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 1
        step = ag__.Undefined('step')

        def get_state():
            return (step, total)

        def set_state(vars_):
            nonlocal step, total
            step, total = vars_

        def if_body():
            nonlocal step, total
            step = n
            total = ag__.call_with_locals(eval, ('total + step',), None, fscope, ag__.locals_of(fscope, {'n': n, 'total': total, 'step': step}))

        def else_body():
            nonlocal step, total
        ag__.if_stmt(n > 1, if_body, else_body, get_state, set_state, ('step', 'total'), 2)
        try:
            do_return = True
            retval_ = (ag__.converted_call(sorted, (ag__.call_with_locals(locals, (), None, fscope, ag__.locals_of(fscope, {'n': n, 'total': total, 'step': step})),), None, fscope), total)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
