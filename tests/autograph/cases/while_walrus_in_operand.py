# calls: [(0,), (5,), (30,), (1000,)]
def while_walrus_in_operand(limit):
    n = 0
    while n < 10 and (square := n * n) < limit and (half := square // 2) >= 0:
        n += 1
    return n, square
# output
def tf__while_walrus_in_operand(limit):
    with ag__.FunctionScope('while_walrus_in_operand', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        n = 0
        square = ag__.Undefined('square')

        def get_state():
            return (n, square)

        def set_state(vars_):
            nonlocal n, square
            n, square = vars_

        def loop_body():
            nonlocal n, square
            n += 1

        def loop_test():
            nonlocal square
            half = ag__.Undefined('half')

            def get_state_1():
                return (half, square)

            def set_state_1(vars_):
                nonlocal half, square
                half, square = vars_

            def set_half(value_):
                nonlocal half
                half = value_
                return value_

            def set_square(value_):
                nonlocal square
                square = value_
                return value_
            return ag__.and_(lambda: n < 10, lambda: ag__.and_(lambda: set_square(n * n) < limit, lambda: set_half(ag__.ld(square) // 2) >= 0, get_state_1, set_state_1, ('half', 'square'), test=True), get_state_1, set_state_1, ('half', 'square'), test=True)
        ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n', 'square'), {})
        try:
            do_return = True
            retval_ = (n, ag__.ld(square))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
