# to_code: Kind.method
# calls: [(Kind(), 3), (Kind(), -3)]
class Kind:
    v = 2

    def method(self, x):
        if x > 0:
            self.v = x
        return self.v
# output
def tf__method(self, x):
    with ag__.FunctionScope('method', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: self.v, 'self.v'),)

        def set_state(vars_):
            self.v, = vars_

        def if_body():
            self.v = x

        def else_body():
            pass
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('self.v',), 1)
        try:
            do_return = True
            retval_ = self.v
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
