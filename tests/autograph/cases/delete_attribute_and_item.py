# calls: [(Box(), {'a': 1})]
class Box:
    def __init__(self):
        self.v = 1
    def __repr__(self):
        return f'Box({vars(self)})'

def delete_attribute_and_item(box, table):
    del box.v, table['a']
    return box, table
# output
def tf__delete_attribute_and_item(box, table):
    with ag__.FunctionScope('delete_attribute_and_item', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        del box.v
        del table['a']
        try:
            do_return = True
            retval_ = (box, table)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
