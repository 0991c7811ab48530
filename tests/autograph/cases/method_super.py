# to_code: Child.method
# calls: [(Child(), 3)]
class Parent:
    def method(self, x):
        return x + 1

class Child(Parent):
    def method(self, x):
        return super().method(x) * 2
# output
def tf__method(self, x):
    with ag__.FunctionScope('method', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        try:
            do_return = True
            retval_ = ag__.converted_call(super(__class__, self).method, (x,), None, fscope) * 2
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
