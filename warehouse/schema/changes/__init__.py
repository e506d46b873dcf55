"""Why something differs from one release to another: the causes, and the table of a release that tells them."""
