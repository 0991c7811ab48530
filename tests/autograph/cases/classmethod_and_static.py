# to_code: Kind.build
# calls: [(3,)]
class Kind:
    @classmethod
    def build(cls, x):
        return cls.double(x) if x > 0 else None

    @staticmethod
    def double(x):
        return 2 * x
# output
def tf__build(cls, x):
    with ag__.FunctionScope('build', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.if_exp(x > 0, lambda: ag__.converted_call(cls.double, (x,), None, fscope), lambda: None, 'x > 0')
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
