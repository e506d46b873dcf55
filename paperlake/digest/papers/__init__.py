"""The papers of a letter: what one skims of each, which of them a filter finds, and why."""
