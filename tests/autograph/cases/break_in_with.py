# calls: [([1, 2, 3],)]
from contextlib import nullcontext

def break_in_with(items):
    for item in items:
        with nullcontext(item) as value:
            if value == 2:
                break
            print(value)
    return item
# output
def tf__break_in_with(items):
    with ag__.FunctionScope('break_in_with', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        break_ = False
        item = ag__.Undefined('item')

        def get_state():
            return (item, break_)

        def set_state(vars_):
            nonlocal item, break_
            item, break_ = vars_

        def loop_body(itr):
            nonlocal break_, item
            item = itr
            with ag__.passing(nullcontext(item)) as value:

                def get_state_1():
                    return (break_,)

                def set_state_1(vars_):
                    nonlocal break_
                    break_, = vars_

                def if_body():
                    nonlocal break_
                    break_ = True

                def else_body():
                    nonlocal break_
                    ag__.converted_call(print, (value,), None, fscope)
                ag__.if_stmt(value == 2, if_body, else_body, get_state_1, set_state_1, ('break_',), 1)

        def extra_test():
            return ag__.not_(break_)
        ag__.for_stmt(items, extra_test, loop_body, get_state, set_state, ('item', 'break_'), {'iterate_names': 'item'})
        try:
            do_return = True
            retval_ = ag__.ld(item)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
