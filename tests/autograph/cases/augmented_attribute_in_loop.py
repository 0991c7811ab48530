# calls: [(Box(), 3)]
class Box:
    v = 0
    def __repr__(self):
        return f'Box({self.v})'

def augmented_attribute_in_loop(box, n):
    for i in range(n):
        box.v += i
    return box
# output
def tf__augmented_attribute_in_loop(box, n):
    with ag__.FunctionScope('augmented_attribute_in_loop', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (ag__.ldu(lambda: box.v, 'box.v'),)

        def set_state(vars_):
            box.v, = vars_

        def loop_body(itr):
            i = itr
            box.v = ag__.update(box.v, '+=', i)
        ag__.for_stmt(ag__.converted_call(range, (n,), None, fscope), None, loop_body, get_state, set_state, ('box.v',), {'iterate_names': 'i'})
        try:
            do_return = True
            retval_ = box
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
