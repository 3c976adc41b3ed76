"""Beam search on packed states.

records (all records and arrays), evaluation (the score), nodes (score and keys of a state, from
scratch), children (a state's children, evaluated without making them), selection (which candidates
to keep), tidying (joining runs), levels (the search itself), settings (weights and deadlines by
width), search (the search as a Python object).
"""
