# to_code: Kind.method
# calls: [(Kind(), 3), (Kind(), -3)]
class Kind:
    def method(self, x):
        __y = 1
        self.__x = x
        if x > 0:
            self.__x = __y
        return self.__x
# output
def tf__method(self, x):
    with ag__.FunctionScope('method', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        _Kind__y = 1
        self._Kind__x = x

        def get_state():
            return (ag__.ldu(lambda: self._Kind__x, 'self._Kind__x'),)

        def set_state(vars_):
            self._Kind__x, = vars_

        def if_body():
            self._Kind__x = _Kind__y

        def else_body():
            pass
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('self._Kind__x',), 1)
        try:
            do_return = True
            retval_ = self._Kind__x
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
