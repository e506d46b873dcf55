"""The server of `paperlake explore`. The explorer's pages are part of a release: flows/documents/explorer."""
