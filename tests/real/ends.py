"""The ends of a release's files that its explorer has in one."""

import gzip
import json
from pathlib import Path


def ends_of(release: Path) -> dict[str, bytes]:
    """Key → end: all that follows the columns of the file as it is now, and nothing of these."""
    found = {}
    for name in ("ends.gz", "search-ends.gz"):
        head, _, ends = gzip.decompress((release / "explore" / name).read_bytes()).partition(b"\n")
        for key, (start, length) in json.loads(head).items():
            data, found[key], ends = (release / key).read_bytes(), ends[:length], ends[length:]
            assert data[start:] == found[key], key
            assert int.from_bytes(data[-8:-4], "little") + 8 <= length, "the whole footer"
        assert ends == b""
    return found
