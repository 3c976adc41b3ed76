"""The command line: one file a command, each of them thin: parse, call, print.

``main`` holds the list of commands and imports a command only when it is called; ``options``
what they share; ``output`` how results, messages and files are written; ``errors`` how every
failure becomes one line and an exit code.
"""
