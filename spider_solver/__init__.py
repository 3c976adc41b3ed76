"""Spider Solitaire solver and deal analyser.

One walk for the data: a deal number or file becomes a Deal (numbering, formats), a Deal
becomes a Position (game), the solver turns a Position into a Result (solver, kernels), an
independent replay checks it (verify), a renderer shows it (render). cli is thin on top.
Nothing here imports numba until a search starts.
"""

__version__ = "0.1.0"
