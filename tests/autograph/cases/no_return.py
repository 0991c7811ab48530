# calls: [(3,)]
def no_return(x):
    y = x
# output
def tf__no_return(x):
    with ag__.FunctionScope('no_return', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        y = x
