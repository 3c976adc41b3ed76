"""The command line: one module for each command, which parses, calls other packages and prints.

============  =========================================================================
main          the list of commands; imports a command only when it is called
help          help pages with the sections of a manual page
options       options and option types that commands share
inputs        the arguments DEAL and FILE
limits        the options that limit a search
deal_output   the writing of a deal in a format
rates         the printing and plotting of win rates
status        the status line on a terminal
output        where results and messages are written
output_files  the files that commands write, checked before a command works
file_kinds    how a file of each kind is recognised
errors        the one line and the exit code of each failure
signals       signals that end a batch as Ctrl-C does
completion    the completion of arguments and values in a shell
shells        the scripts of bash, zsh and fish for completion
hints         command lines that the output suggests to the user
viewer        the full-screen terminal of ``replay --step``
============  =========================================================================

The module ``verify_results`` has the part of ``verify`` for ``verify --results``.

Only this package mentions options. Other packages raise errors that state facts; a command adds
the advice on its options.
"""
