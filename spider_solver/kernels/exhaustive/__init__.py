"""Exhaustive search: every position that a deal can reach, each once.

position (a position made and unmade in place), children (a position's children and their keys),
depth_first (the search itself, and why it proves what it says), search (the search as a Python
object).
"""
