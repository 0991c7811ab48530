# calls: [([5, 6, 7], {}, 1)]
def element_write(x, d, i):
    x[0] = i
    x[i] = x[0] + d.get(i, 0)
    x[1:] = [i, i]
    d['a'] = i
    x[x.index(i)] = d.get('a')
    x[i] += 1
    x[i] *= d.get('a')
    return x, d
# output
def tf__element_write(x, d, i):
    with ag__.FunctionScope('element_write', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        x = ag__.set_item(x, 0, i)
        x = ag__.set_item(x, i, x[0] + ag__.converted_call(d.get, (i, 0), None, fscope))
        x = ag__.set_item(x, slice(1, None), [i, i])
        d['a'] = i
        x = ag__.set_item(v=ag__.converted_call(d.get, ('a',), None, fscope), x=x, k=ag__.converted_call(x.index, (i,), None, fscope))
        x = ag__.update_item(x, i, ag__.get_item(x, i), '+=', 1)
        x = ag__.update_item(x, i, ag__.get_item(x, i), '*=', ag__.converted_call(d.get, ('a',), None, fscope))
        try:
            do_return = True
            retval_ = (x, d)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
