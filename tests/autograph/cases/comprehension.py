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
        squares = [i * i for i in items if ag__.and_(lambda: i > 0, lambda: i < 9)]
        table = {ag__.converted_call(str, (i,), None, fscope): ag__.if_exp(i, lambda: i, lambda: None, 'i') for i in items}
        try:
            do_return = True
            retval_ = (squares, table, {ag__.converted_call(abs, (i,), None, fscope) for i in items}, ag__.converted_call(sum, ((i for i in items),), None, fscope))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
