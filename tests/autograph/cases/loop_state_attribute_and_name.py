# calls: [(Box(), [1, 2])]
class Box:
    total = 0
    def __repr__(self):
        return f'Box({self.total})'

def loop_state_attribute_and_name(box, items):
    last = None
    for item in items:
        box.total = box.total + item
        last = box.total
    return last, box
# output
def tf__loop_state_attribute_and_name(box, items):
    with ag__.FunctionScope('loop_state_attribute_and_name', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        last = None

        def get_state():
            return (ag__.ldu(lambda: box.total, 'box.total'), last)

        def set_state(vars_):
            nonlocal last
            box.total, last = vars_

        def loop_body(itr):
            nonlocal last
            item = itr
            box.total = box.total + item
            last = box.total
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('box.total', 'last'), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = (last, box)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
