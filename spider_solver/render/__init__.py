"""Boards and solutions for people: pure functions from positions and outcomes to text."""
