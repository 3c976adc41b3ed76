"""The scripts by which bash, zsh and fish complete command lines. They replace click's scripts.

Unlike click's, they offer file names and schemes together, write no blank after ``kpat:``,
complete the value in ``--option=value``, and do not cut descriptions at a comma. Importing this
module makes click use them.

A script calls ``spider-solver`` with the command line in the variable ``COMP_WORDS``, and reads
the completions from its output. Each has a type: ``plain``, or ``file`` where the shell itself
completes file names.
"""

from __future__ import annotations

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

# bash splits words at colons and equal signs, so the script passes on the whole line. It replaces
# only the last part of a split word, which has the right text for `--option=value`. After a colon
# there are no completions.
#
# `compopt -o default` completes file names, but only if nothing else was found. If there are
# schemes as well, the text before the cursor has letters and digits only, and compgen can be used.
_BASH_SCRIPT = r"""
%(complete_func)s() {
    local line=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]} type value
    local -i with_files=0
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            plain) COMPREPLY+=("$value") ;;
            file) with_files=1 ;;
        esac
    done < <(COMP_WORDS=$line %(complete_var)s=bash_complete "$1")
    if ((with_files && ${#COMPREPLY[@]} == 0)); then
        compopt -o default
    elif ((with_files)); then
        while IFS= read -r value; do
            [[ -d $value ]] && value+=/
            COMPREPLY+=("$(printf %%q "$value")")
        done < <(compgen -f -- "$word")
    fi
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:/] ]]; then
        compopt -o nospace
    fi
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

# Each completion is three lines: its type, its value, and a description or `_`.
_ZSH_SCRIPT = r"""#compdef %(prog_name)s

%(complete_func)s() {
    local -a response plain described schemes
    local type value description
    local -i with_files=0
    (( $+commands[%(prog_name)s] )) || return 1
    response=("${(@f)$(COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT - 1)) \
        %(complete_var)s=zsh_complete %(prog_name)s)}")
    for type value description in "${response[@]}"; do
        if [[ $type == file ]]; then
            with_files=1
        elif [[ $type != plain ]]; then
            continue
        elif [[ $description == _ ]]; then
            plain+=("$value")
        elif [[ $value == *: ]]; then
            schemes+=("$value:$description")
        else
            described+=("$value:$description")
        fi
    done
    [[ $PREFIX == --*=* ]] && compset -P '*='
    (( $#described )) && _describe -V option described
    (( $#schemes )) && _describe -V scheme schemes -S ''
    (( $#plain )) && compadd -V value -a plain
    (( with_files )) && _files
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

# Each completion is a line: its type, a comma, its value, and perhaps a tab and a description.
_FISH_SCRIPT = r"""
function %(complete_func)s
    set -l option (string match -r -- '^--[^=]+=' (commandline -ct))
    for completion in (env COMP_WORDS=(commandline -cp | string collect) \
            %(complete_var)s=fish_complete %(prog_name)s)
        set -l parts (string split -m 1 , -- $completion)
        switch $parts[1]
            case plain
                printf '%%s\n' "$option$parts[2]"
            case file
                for path in (__fish_complete_path $parts[2])
                    printf '%%s\n' "$option$path"
                end
        end
    end
end

complete --no-files --command %(prog_name)s --arguments '(%(complete_func)s)'
"""


class _LineToCursor(ShellComplete):
    """Reads the words of the command line from ``COMP_WORDS``, the line up to the cursor."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words of the command line, and the word before the cursor."""
        # With one more letter, the last word is the incomplete one also if it is empty.
        _, *words, last = split_arg_string(os.environ["COMP_WORDS"] + "x")
        return words, last[:-1]


@add_completion_class
class Bash(_LineToCursor, BashComplete):
    """Completion for bash 4.4 or newer."""

    source_template = _BASH_SCRIPT

    def source(self) -> str:
        """Return the script. Unlike click's method, do not start bash to check its version."""
        return self.source_template % self.source_vars()


@add_completion_class
class Zsh(ZshComplete):
    """Completion for zsh."""

    source_template = _ZSH_SCRIPT

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the three lines of a completion. Only ``_describe`` needs escaped colons."""
        if not item.help:
            return f"{item.type}\n{item.value}\n_"
        value = item.value.replace(":", r"\:")
        return f"{item.type}\n{value}\n{item.help}"


@add_completion_class
class Fish(_LineToCursor, FishComplete):
    """Completion for fish 3.0 or newer."""

    source_template = _FISH_SCRIPT
