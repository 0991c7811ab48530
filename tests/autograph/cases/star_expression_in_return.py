# calls: [([1, 2],)]
def star_expression_in_return(items):
    return 0, *items, *(items if items else [9])
# output
def tf__star_expression_in_return(items):
    with ag__.FunctionScope('star_expression_in_return', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = (0, *items, *ag__.if_exp(items, lambda: items, lambda: [9], 'items'))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
