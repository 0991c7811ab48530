# calls: [(Box(), [1, 2]), (Box(), [])]
class Box:
    v = 0
    def __repr__(self):
        return f'Box({self.v})'

def for_attribute_target(box, items):
    for box.v in items:
        print(box.v)
    return box
# output
def tf__for_attribute_target(box, items):
    with ag__.FunctionScope('for_attribute_target', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: box.v, 'box.v'),)

        def set_state(vars_):
            box.v, = vars_

        def loop_body(itr):
            box.v = itr
            ag__.converted_call(print, (box.v,), None, fscope)
        ag__.for_stmt(items, None, loop_body, get_state, set_state, ('box.v',), {'iterate_names': 'box.v'})
        try:
            do_return = True
            retval_ = box
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
