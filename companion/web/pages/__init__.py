"""The routes: what is asked, and who may."""
