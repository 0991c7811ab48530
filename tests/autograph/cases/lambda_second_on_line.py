# to_code: second
# calls: [(3,)]
first, second = lambda x: x + 1, lambda x: abs(x) * 2
# output
tf__lam = lambda x: ag__.with_function_scope(lambda lscope: ag__.converted_call(abs, (x,), None, lscope) * 2, 'lscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True))
