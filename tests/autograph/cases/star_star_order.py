# calls: [([],)]
def note(log, value):
    log.append(value)
    return value

def star_star_order(log):
    return dict(note(log, [('a', 1)]), b=note(log, 2), **note(log, {'c': 3}), d=note(log, 4)), log
# output
def tf__star_star_order(log):
    with ag__.FunctionScope('star_star_order', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (ag__.converted_call(dict, (ag__.converted_call(note, (log, [('a', 1)]), None, fscope),), dict(b=ag__.converted_call(note, (log, 2), None, fscope), **ag__.converted_call(note, (log, {'c': 3}), None, fscope), d=ag__.converted_call(note, (log, 4), None, fscope)), fscope), log)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
