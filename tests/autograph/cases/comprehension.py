# calls: [([3, -1],)]
def comprehension(items):
    squares = [i * i for i in items if i > 0 and i < 9]
    table = {str(i): i if i else None for i in items}
    return squares, table, {abs(i) for i in items}, sum(i for i in items)
# output
def tf__comprehension(items):
    with ag__.FunctionScope('comprehension', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        squares = ag__.list_comp(items, lambda items_1: [i * i for i in items_1 if ag__.and_(lambda: i > 0, lambda: i < 9, test=True)], lambda into, items_1: into.each(items_1, lambda i: into.when(ag__.and_(lambda: i > 0, lambda: i < 9, test=True), lambda: into.take(i * i))), True)
        table = ag__.dict_comp(items, lambda items_1: {ag__.converted_call(str, (i,), None, fscope): ag__.if_exp(i, lambda: i, lambda: None, 'i') for i in items_1}, lambda into, items_1: into.each(items_1, lambda i: into.take((ag__.converted_call(str, (i,), None, fscope), ag__.if_exp(i, lambda: i, lambda: None, 'i')))))
        try:
            do_return = True
            retval_ = (squares, table, ag__.set_comp(items, lambda items_1: {ag__.converted_call(abs, (i,), None, fscope) for i in items_1}, lambda into, items_1: into.each(items_1, lambda i: into.take(ag__.converted_call(abs, (i,), None, fscope)))), ag__.converted_call(sum, (ag__.generator_exp(items, lambda items_1: (i for i in items_1), lambda into, items_1: into.each(items_1, lambda i: into.take(i))),), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
