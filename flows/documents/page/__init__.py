"""The page of a release, `index.html`: static, asking nothing of any host, whole without its script.

It is rendered when the release is written, from the draft and from what the parent says of the releases before it, so
that it is the same bytes whoever writes it.
"""
