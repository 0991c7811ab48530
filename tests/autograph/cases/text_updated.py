# calls: [(1,), (5,)]
def text_updated(n):
    text, rows, held = '%s', ['%d'], {'k': '%5d'}
    text %= n
    rows[0] %= (n,)
    held['k'] %= n
    n %= 3
    return text, rows, held, n
# output
def tf__text_updated(n):
    with ag__.FunctionScope('text_updated', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        text, rows, held = ('%s', ['%d'], {'k': '%5d'})
        text = ag__.update(text, '%=', n)
        rows = ag__.update_item(rows, 0, rows[0], '%=', (n,))
        held['k'] = ag__.update(held['k'], '%=', n)
        n %= 3
        try:
            do_return = True
            retval_ = (text, rows, held, n)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
