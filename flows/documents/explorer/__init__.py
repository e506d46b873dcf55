"""Looking at a release in a browser: the pages of `explore/`, which read its Parquet files, and a local server.

`site/` is the explorer: modules of plain JavaScript, without a framework. `assets/` is what it takes from others. It is
in no repository: `make assets` brings it, by the locks of `npm/`, and the wheel carries it.
"""
