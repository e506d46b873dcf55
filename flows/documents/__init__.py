"""The documents of a release: card, contract, dictionary, notes, pages, feeds. Frames in, bytes out."""
