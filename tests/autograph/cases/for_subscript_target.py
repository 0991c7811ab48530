# calls: [([0], [1, 2]), ([0], [])]
def for_subscript_target(cell, items):
    for cell[0] in items:
        print(cell)
    return cell
# output
def tf__for_subscript_target(cell, items):
    with ag__.FunctionScope('for_subscript_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.container(cell, 'cell'), ag__.ldu(lambda: ag__.item(cell, 0), 'cell[0]'))

        def set_state(vars_):
            nonlocal cell
            cell = ag__.rebound(cell, vars_[0])
            ag__.put_item(cell, 0, vars_[1])

        def loop_body(itr):
            nonlocal cell
            cell = ag__.set_item(cell, 0, itr)
            ag__.converted_call(print, (cell,), None, fscope)
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('cell', 'cell[0]'), {'iterate_names': 'cell[0]'})
        try:
            do_return = True
            retval_ = cell
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
