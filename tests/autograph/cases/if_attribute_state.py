# calls: [(Box(3),), (Box(-3),)]
class Box:
    def __init__(self, v):
        self.v = v
    def __repr__(self):
        return f'Box({self.v})'

def if_attribute_state(box):
    if box.v < 0:
        box.v = -box.v
    return box
# output
def tf__if_attribute_state(box):
    with ag__.FunctionScope('if_attribute_state', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: box.v, 'box.v'),)

        def set_state(vars_):
            box.v, = vars_

        def if_body():
            box.v = -box.v

        def else_body():
            pass
        ag__.if_stmt(box.v < 0, if_body, else_body, get_state, set_state, ('box.v',), 1)
        try:
            do_return = True
            retval_ = box
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
