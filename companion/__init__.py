"""A companion for identity games at a real table.

A game is its list of inputs; the rules, pure and deterministic, turn inputs into facts; every screen, card, log and
verdict is folded from the facts that its viewer may know.

================  ====================================================================================================
``rules``         pure: inputs, facts and who may know them, state, the engine, views, the record. Standard library only
``modes``         a TOML file (what is printed, in three languages) and a Python module (what happens) for each game
``storage``       tables, people and their inputs, append-only, behind one contract; it knows nothing of rules
``live``          who is told that something changed
``tables``        the application: open a table, sit down, deal, record, undo. No HTTP, no SQL
``web``           HTTP: who asks (``access``), routes (``pages``), what each screen receives (``screens``), the server
``doctor``        what could keep an evening from starting (``lan``: addresses, ``listening``: the port)
``prints``        what is ordered on paper from a page
``words``         refusals, announcements and log lines in the viewer's language (``wordings``: their message ids)
``cli``           the ``companion`` command
================  ====================================================================================================

Imports run one way: ``rules`` ← ``modes`` ← ``storage``, ``tables`` ← ``web``, ``cli``. The package ``printables``
beside this one draws what goes on paper and reads mode data only. A test keeps it so.
"""

__version__ = "0.1.0"
