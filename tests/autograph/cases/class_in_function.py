# calls: [(3,), (-3,)]
def class_in_function(x):
    class Kind:
        factor = 2
        if x > 0:
            factor = 3

        def scale(self, y):
            if y > 0:
                return y * self.factor
            return y
    return Kind().scale(x)
# output
def tf__class_in_function(x):
    with ag__.FunctionScope('class_in_function', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        class Kind:
            factor = 2
            if ag__.in_class(x > 0, 'bool'):
                factor = 3

            @ag__.autograph_artifact
            def scale(self, y):
                with ag__.FunctionScope('scale', 'fscope_1', ag__.STD) as fscope_1:
                    do_return_1 = False
                    retval_1 = ag__.UndefinedReturnValue()

                    def get_state():
                        return (do_return_1, retval_1)

                    def set_state(vars_):
                        nonlocal do_return_1, retval_1
                        do_return_1, retval_1 = vars_

                    def if_body():
                        nonlocal do_return_1, retval_1
                        try:
                            do_return_1 = True
                            retval_1 = y * self.factor
                        except:
                            do_return_1 = False
                            raise

                    def else_body():
                        nonlocal do_return_1, retval_1
                        try:
                            do_return_1 = True
                            retval_1 = y
                        except:
                            do_return_1 = False
                            raise
                    ag__.if_stmt(y > 0, if_body, else_body, get_state, set_state, ('do_return_1', 'retval_1'), 2)
                    return fscope_1.ret(retval_1, do_return_1)
        try:
            do_return = True
            retval_ = ag__.converted_call(ag__.converted_call(Kind, (), None, fscope).scale, (x,), None, fscope)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
