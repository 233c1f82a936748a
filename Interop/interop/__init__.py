"""Real authorization servers on loopback, and the real `tern` command against them."""
