# calls: [(3, 'a'), (-3, 'b')]
def text_formatting(x, name):
    text = f'{x} {name!r:>{x * x}} {{}} {x=}'
    text += '%d of %s' % (x, name) + '%(a)s' % {'a': name}
    return text, '{} {1}'.replace('{1}', '{}').format(x, name), str(x), format(x, '03d'), f'{name}', f'plain', x % 2
# output
def tf__text_formatting(x, name):
    with ag__.FunctionScope('text_formatting', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        text = ag__.format_string(ag__.format_value(x), ' ', ag__.format_value(name, 'r', ag__.format_string('>', ag__.format_value(x * x))), ' {} x=', ag__.format_value(x, 'r'))
        text += ag__.mod('%d of %s', (x, name)) + ag__.mod('%(a)s', {'a': name})
        try:
            do_return = True
            retval_ = (text, ag__.converted_call(ag__.converted_call('{} {1}'.replace, ('{1}', '{}'), None, fscope).format, (x, name), None, fscope), ag__.converted_call(str, (x,), None, fscope), ag__.converted_call(format, (x, '03d'), None, fscope), ag__.format_value(name), 'plain', x % 2)
        except:
            do_return = False
            raise
        return fscope.ret(retval_, do_return)
