"""Nonsense, and sense with something wrong in it: no crash, no fault of the program, no change where it is refused.

The test run tries some; `python -m tests.fuzz records` (or `forms`) goes on with atheris, guided by coverage.
"""
