# to_code: lambda_simple
# calls: [(3,), (-3,)]
lambda_simple = lambda x: x if x > 0 else -x
# output
tf__lam = lambda x: ag__.with_function_scope(lambda lscope: ag__.if_exp(x > 0, lambda: x, lambda: -x, 'x > 0'), 'lscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True))
