"""What is put on paper or on a screen to be scanned. Reads mode data; imports nothing else of the companion."""
