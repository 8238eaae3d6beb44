"""The rules of the games, pure and deterministic: inputs go in, facts come out.

Nothing here reads a clock, a file, a random number or the network, and nothing here imports from the rest of the
package: only the standard library. A game is its list of inputs; `table.play` turns them into facts, `views` folds from
the facts what one viewer may know, `record` writes the inputs down and reads them again.
"""
