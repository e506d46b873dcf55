"""What people and programs touch: the command line, search, the explorer's server, the digest, exports."""

import flows  # noqa: F401 - first of all, as it tells dependencies to call nobody
