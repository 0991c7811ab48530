# calls: [(3, 0), (-3, 5), (0, 1), (3, 7)]
def walrus_in_operands(a, b):
    found = a > 0 and (y := b) > 4
    other = (z := a) if found else (z := b)
    if found:
        found = y
    return found, other, z, 0 < a < (w := b + 1) and w
# output
def tf__walrus_in_operands(a, b):
    with ag__.FunctionScope('walrus_in_operands', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        w = ag__.Undefined('w')
        y = ag__.Undefined('y')

        def get_state():
            return (y,)

        def set_state(vars_):
            nonlocal y
            y, = vars_

        def set_y(value_):
            nonlocal y
            y = value_
            return value_
        found = ag__.and_(lambda: a > 0, lambda: set_y(b) > 4, get_state, set_state, ('y',))
        z = ag__.Undefined('z')

        def get_state_1():
            return (z,)

        def set_state_1(vars_):
            nonlocal z
            z, = vars_

        def set_z(value_):
            nonlocal z
            z = value_
            return value_
        other = ag__.if_exp(found, lambda: set_z(a), lambda: set_z(b), 'found', get_state_1, set_state_1, ('z',))

        def get_state_2():
            return (found,)

        def set_state_2(vars_):
            nonlocal found
            found, = vars_

        def if_body():
            nonlocal found
            found = ag__.ld(y)

        def else_body():
            nonlocal found
        ag__.if_stmt(found, if_body, else_body, get_state_2, set_state_2, ('found',), 1)

        def get_state_3():
            return (w,)

        def set_state_3(vars_):
            nonlocal w
            w, = vars_

        def set_w(value_):
            nonlocal w
            w = value_
            return value_
        try:
            do_return = True
            retval_ = (found, other, ag__.ld(z), ag__.and_(lambda: ag__.and_(lambda: 0 < a, lambda: a < set_w(b + 1), get_state_3, set_state_3, ('w',)), lambda: ag__.ld(w)))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
