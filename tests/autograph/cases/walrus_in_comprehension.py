# calls: [([1, 2, 3],), ([],), ([0, 5],)]
def walrus_in_comprehension(items):
    last = None
    found = [last for item in items if item > 1 and (last := item * 2) > 4]
    return found, last, [y := 1, y ** 2], any(item and (hit := item) > 1 for item in items)
# output
def tf__walrus_in_comprehension(items):
    with ag__.FunctionScope('walrus_in_comprehension', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        hit = ag__.Undefined('hit')
        y = ag__.Undefined('y')
        last = None

        def get_state():
            return (last,)

        def set_state(vars_):
            nonlocal last
            last, = vars_

        def set_last(value_):
            nonlocal last
            last = value_
            return value_
        found = ag__.list_comp(items, lambda items_1: [last for item in items_1 if ag__.and_(lambda: item > 1, lambda: set_last(item * 2) > 4, get_state, set_state, ('last',), test=True)], lambda into, items_1: into.each(items_1, lambda item: into.when(ag__.and_(lambda: item > 1, lambda: set_last(item * 2) > 4, get_state, set_state, ('last',), test=True), lambda: into.take(last))), True, get_state, set_state, ('last',))

        def get_state_1():
            return (hit,)

        def set_state_1(vars_):
            nonlocal hit
            hit, = vars_

        def set_hit(value_):
            nonlocal hit
            hit = value_
            return value_
        try:
            do_return = True
            retval_ = (found, last, [(y := 1), ag__.ld(y) ** 2], ag__.converted_call(any, (ag__.generator_exp(items, lambda items_1: (ag__.and_(lambda: item, lambda: set_hit(item) > 1, get_state_1, set_state_1, ('hit',)) for item in items_1), lambda into, items_1: into.each(items_1, lambda item: into.take(ag__.and_(lambda: item, lambda: set_hit(item) > 1, get_state_1, set_state_1, ('hit',)))), False, get_state_1, set_state_1, ('hit',)),), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
