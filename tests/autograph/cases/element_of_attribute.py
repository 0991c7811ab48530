# to_code: Model.step
# calls: [(Model(), 1, 5), (Model(), 0, -5)]
class Model:
    def __init__(self):
        self.weights = [1, 2]
        self.table = {'a': [3, 4]}

    def step(self, i, value):
        self.weights[i] = value
        self.weights[i] += value
        self.table['a'][i] = value
        if value > 0:
            self.weights[i] = 0
        return self.weights, self.table
# output
def tf__step(self, i, value):
    with ag__.FunctionScope('step', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        ag__.set_item_of(self, 'weights', i, value)
        ag__.place(self).attr('weights').read(i).update('+=', value)
        ag__.put(value, ag__.place(self).attr('table').item('a'), i)

        def get_state():
            return (ag__.ldu(lambda: ag__.container(self.weights, 'self.weights'), 'self.weights'), ag__.ldu(lambda: ag__.item(self.weights, i), 'self.weights[i]'))

        def set_state(vars_):
            ag__.put_attribute(self, 'weights', vars_[0])
            ag__.put_item(self.weights, i, vars_[1])

        def if_body():
            ag__.set_item_of(self, 'weights', i, 0)

        def else_body():
            pass
        ag__.if_stmt(value > 0, if_body, else_body, get_state, set_state, ('self.weights', 'self.weights[i]'), 2)
        try:
            do_return = True
            retval_ = (self.weights, self.table)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
