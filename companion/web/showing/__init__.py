"""Fills the screens, from what their visitor may know."""
