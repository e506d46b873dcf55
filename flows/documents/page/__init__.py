"""The page of a release, `index.html`: static, asking nothing of any host, whole without its script.

It is rendered when the release is written, from the draft and from what the parent tells of the releases before it,
so that it is the same bytes whoever writes it. Only publishing imports this package: it draws with matplotlib.
"""

from __future__ import annotations

from flows.documents.page.page import INDEX, release_page

__all__ = ["INDEX", "release_page"]
