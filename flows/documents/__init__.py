"""Everything a release says of itself in words: card, contract, dictionary, notes, pages. Frames in, bytes out."""
