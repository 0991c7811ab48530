# to_code: lambda_default
# calls: [(3,), (-3, 5)]
lambda_default = lambda x, y=2, *rest, k=3, **more: x * y + k
# output
tf__lam = lambda x, y=2, *rest, k=3, **more: ag__.with_function_scope(lambda lscope: x * y + k, 'lscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True))
