# calls: [(3,)]
import autograph

def for_loop_options(n):
    total = 0
    for i in range(n):
        autograph.set_loop_options(parallel_iterations=4)
        total += i
    return total
# output
def tf__for_loop_options(n):
    with ag__.FunctionScope('for_loop_options', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        total = 0

        def get_state():
            return (total,)

        def set_state(vars_):
            nonlocal total
            total, = vars_

        def loop_body(itr):
            nonlocal total
            i = itr
            total += i
        ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state, set_state, ('total',), {'iterate_names': 'i', 'parallel_iterations': 4})
        try:
            do_return = True
            retval_ = total
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
