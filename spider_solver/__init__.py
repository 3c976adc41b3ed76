"""Spider Solitaire solver and deal analyser.

Data flows one way. A deal number or a file becomes a Deal (numbering, formats). The solver turns
a Deal into a Result (solver, kernels). An independent replay checks the Result (verify), and a
renderer shows it (render). cli is the command line on top of these. numba is imported only when
a search starts.
"""

__version__ = "0.1.0"
