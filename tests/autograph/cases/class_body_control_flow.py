# calls: [(0,), (2,)]
def class_body_control_flow(n):
    class Table:
        rows = []
        for i in range(n):
            rows.append(i)
        if n > 1:
            def size(self):
                return len(self.rows) if self.rows else None
        else:
            size = 'none'
        kind = 'big' if n else 'small'
        while rows and rows[-1] > 5:
            rows.pop()
    return Table.rows, Table.kind, Table.size if n < 2 else Table().size()
# output
def tf__class_body_control_flow(n):
    with ag__.FunctionScope('class_body_control_flow', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        class Table:
            rows = []
            for i in ag__.in_class(ag__.converted_call(range, (n,), None, fscope), 'iter'):
                ag__.converted_call(rows.append, (i,), None, fscope)
            if ag__.in_class(n > 1, 'bool'):

                @ag__.autograph_artifact
                def size(self):
                    with ag__.FunctionScope('size', 'fscope_1', ag__.STD) as fscope_1:
                        do_return_1 = False
                        retval_1 = ag__.UndefinedReturnValue()
                        try:
                            do_return_1 = True
                            retval_1 = ag__.if_exp(self.rows, lambda: ag__.converted_call(len, (self.rows,), None, fscope_1), lambda: None, 'self.rows')
                        except:
                            do_return_1 = False
                            raise
                        return fscope_1.ret(retval_1, do_return_1)
            else:
                size = 'none'
            kind = 'big' if ag__.in_class(n, 'bool') else 'small'
            while ag__.in_class(rows, 'bool') and ag__.in_class(rows[-1] > 5, 'bool'):
                ag__.converted_call(rows.pop, (), None, fscope)
        try:
            do_return = True
            retval_ = (Table.rows, Table.kind, ag__.if_exp(n < 2, lambda: Table.size, lambda: ag__.converted_call(ag__.converted_call(Table, (), None, fscope).size, (), None, fscope), 'n < 2'))
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
