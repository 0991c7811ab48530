"""Scripts by which shells complete the options of the command line, made from its parser.

    $ source <(autograph --completion bash)      # for this shell; a line in ~/.bashrc for all
    $ autograph --completion fish > ~/.config/fish/completions/autograph.fish
"""

from __future__ import annotations

import argparse

__all__ = ["script"]


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """What `shell` ("bash", "fish" or "zsh") reads."""
    options = [action for action in parser._actions if action.option_strings]
    return {"bash": _bash, "fish": _fish, "zsh": _zsh}[shell](parser.prog, options)


def _bash(program: str, options: list[argparse.Action]) -> str:
    names = " ".join(name for option in options for name in option.option_strings)
    cases = "".join(
        f"        {'|'.join(option.option_strings)}) COMPREPLY=($(compgen -W '{_choices(option)}' -- \"$word\"))\n"
        "            return;;\n"
        for option in options
        if option.choices
    )
    return f"""\
_{program}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}"
    case "${{COMP_WORDS[COMP_CWORD-1]}}" in
{cases}    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W '{names}' -- "$word"));;
        *) COMPREPLY=($(compgen -f -X '!*.py' -- "$word") $(compgen -d -- "$word"));;
    esac
}}
complete -o filenames -F _{program} {program}
"""


def _fish(program: str, options: list[argparse.Action]) -> str:
    lines = []
    for option in options:
        names = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in option.option_strings)
        values = f" -xa '{_choices(option)}'" if option.choices else "" if option.nargs == 0 else " -r"
        lines.append(f"complete -c {program}{names}{values} -d {_quoted(option)}\n")
    return "".join(lines)


def _zsh(program: str, options: list[argparse.Action]) -> str:
    lines = []
    for option in options:
        values = f":value:({_choices(option)})" if option.choices else "" if option.nargs == 0 else ":value:_files"
        text = _quoted(option)[1:-1].replace("[", "(").replace("]", ")").replace(":", "\\:")
        lines += [f"    '{name}[{text}]{values}' \\\n" for name in option.option_strings]
    return f"#compdef {program}\n_arguments \\\n{''.join(lines)}    '*:file:_files -g \"*.py\"'\n"


def _choices(option: argparse.Action) -> str:
    return " ".join(map(str, option.choices or ()))


def _quoted(option: argparse.Action) -> str:
    text = (option.help or "").replace("%(default)s", str(option.default)).replace("'", "")
    return f"'{text}'"
