"""A stand-in for a dataset repository of the Hub: commits, tags and contents, as tests/hub/dataset_server.py serves them.

It misbehaves by `faults`: each is given a request, and may answer before, after or instead of what is right.
"""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, unquote

from paperlake.push.hub_push import git_sha1

TOKEN = "hf_invented_token_of_the_tests"
REPOSITORY = "ada/papers"
ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n*.duckdb filter=lfs diff=lfs merge=lfs -text\n"
LARGE = (".parquet", ".duckdb", ".gz", ".wasm", ".png")
PAGE = 40  # entries of a list, of which the next is by `Link`


class Stored(NamedTuple):
    """A file of a commit; of one whose chunks are elsewhere only hash and size are known."""

    data: bytes
    is_large: bool
    sha256: str = ""
    size: int = 0


@dataclass(frozen=True)
class Commit:
    """A commit; `parent` is empty for the first."""

    oid: str
    parent: str
    title: str
    message: str
    files: dict[str, Stored]


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    path: str
    query: dict[str, list[str]]
    body: bytes
    token: str


@dataclass(frozen=True)
class Reply:
    """One answer; without `status` the connection is cut."""

    status: int = 200
    told: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    data: bytes | None = None

    @property
    def body(self) -> bytes:
        return json.dumps(self.told).encode() if self.data is None else self.data


CUT = Reply(0)
Answer = Callable[[Asked], Reply]
Fault = Callable[[Asked, Answer], Reply]


@dataclass
class Rule:
    """A fault of the n-th requests (from 1) of a method, or any, whose path matches; of all without `nth`."""

    fault: Fault
    method: str
    where: re.Pattern[str]
    nth: frozenset[int] | None
    seen: int = 0


class DatasetSite:
    """One repository, `ada/papers`, as a Hub has it; `sent_bytes` are those of contents that came."""

    def __init__(self, home: Path) -> None:
        self.home = home  # of whoever pushes to it
        self.commits: dict[str, Commit] = {}
        self.contents: dict[str, bytes] = {}  # by SHA-256
        self.tags: dict[str, str] = {}
        self.head = ""
        self.asked: list[Asked] = []
        self.sent_bytes = 0
        self.cut_count = 0  # PUTs that are cut, the next ones
        self.chunks: Path | None = None  # where hf_xet puts them, in place of whole files by PUT
        self.is_private = False
        self.rules: list[Rule] = []
        self.url = ""
        self.lock = threading.RLock()

    def is_cut(self) -> bool:
        """Whether the connection of this PUT is cut in the middle of it."""
        with self.lock:
            self.cut_count -= 1
            return self.cut_count >= 0

    def misbehave(self, fault: Fault, method: str, where: str, *nth: int) -> None:
        self.rules.append(Rule(fault, method, re.compile(where), frozenset(nth) or None))

    @property
    def files(self) -> dict[str, bytes]:
        """What a reader of the branch gets, but for what the Hub itself put there."""
        return self.files_of(self.head)

    def files_of(self, commit: str) -> dict[str, bytes]:
        files = self.commits[commit].files if commit else {}
        return {path: file.data for path, file in files.items() if path != ".gitattributes"}

    def make(self, title: str, message: str, files: dict[str, Stored]) -> str:
        names = json.dumps(
            [self.head, title, message, sorted((path, git_sha1(one.data)) for path, one in files.items())]
        )
        oid = hashlib.sha1(names.encode()).hexdigest()
        self.commits[oid] = Commit(oid, self.head, title, message, files)
        self.head = oid
        return oid

    def history(self, oid: str) -> Iterator[Commit]:
        while oid:
            yield self.commits[oid]
            oid = self.commits[oid].parent

    def reachable(self) -> set[str]:
        """Every commit that the branch or a tag leads to."""
        return {commit.oid for oid in (self.head, *self.tags.values()) for commit in self.history(oid)}

    def reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.asked.append(asked)
            fault = next((rule.fault for rule in self.rules if self._applies(rule, asked)), None)
        return fault(asked, self.right) if fault else self.right(asked)

    def _applies(self, rule: Rule, asked: Asked) -> bool:
        if rule.method not in {asked.method, ""} or not rule.where.search(asked.path):
            return False
        rule.seen += 1
        return rule.nth is None or rule.seen in rule.nth

    def right(self, asked: Asked) -> Reply:
        """What a sound Hub answers."""
        with self.lock:
            for method, pattern, answer in ROUTES:
                if method == asked.method and (found := re.fullmatch(pattern, asked.path)):
                    is_open = not self.is_private and (method == "GET" or "/paths-info/" in asked.path)
                    if not (is_open or asked.path.startswith("/lfs/")) and asked.token != TOKEN:
                        return Reply(401, {"error": f"Invalid token {asked.token}"})
                    return answer(self, asked, *map(unquote, found.groups()))
        return Reply(404, {"error": f"no {asked.method} {asked.path}"})

    # What the routes answer

    def create(self, asked: Asked) -> Reply:
        wanted = json.loads(asked.body)
        assert (wanted["type"], f"{wanted['organization']}/{wanted['name']}") == ("dataset", REPOSITORY)
        if self.head:
            return Reply(
                409, {"error": "You already created this dataset repo", "url": f"{self.url}/datasets/{REPOSITORY}"}
            )
        self.is_private = wanted.get("visibility") == "private"
        self.make("initial commit", "", {".gitattributes": Stored(ATTRIBUTES, False)})
        return Reply(200, {"url": f"{self.url}/datasets/{REPOSITORY}"})

    def info(self, _: Asked, revision: str = "main") -> Reply:
        if (commit := self.commit_of(revision)) is None:
            return self.missing()
        told = {"id": REPOSITORY, "_id": "1", "sha": commit.oid, "private": self.is_private, "disabled": False}
        told |= {"gated": False, "downloads": 0, "likes": 0, "tags": [], "author": "ada"}
        return Reply(200, told | {"siblings": [{"rfilename": path} for path in commit.files]})

    def missing(self) -> Reply:
        return Reply(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})

    def commit_of(self, revision: str) -> Commit | None:
        name = self.head if revision == "main" else self.tags.get(revision, revision)
        return self.commits.get(name)

    def refs(self, _: Asked) -> Reply:
        if not self.head:
            return self.missing()
        tags = [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": oid} for name, oid in self.tags.items()]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": self.head}
        return Reply(200, {"branches": [main], "converts": [], "tags": tags})

    def tree(self, asked: Asked, revision: str, folder: str = "") -> Reply:
        commit = self.commit_of(revision)
        if commit is None:
            return Reply(404, {"error": "no revision"}, {"X-Error-Code": "RevisionNotFound"})
        inside = f"{folder}/" if folder else ""
        found: dict[str, dict[str, Any]] = {}
        is_deep = asked.query.get("recursive", ["false"])[0].lower() in {"true", "1"}
        for path, file in sorted(commit.files.items()):
            if path.startswith(inside):
                parts = path.removeprefix(inside).split("/")
                for depth in range(1, len(parts) if is_deep else min(2, len(parts))):
                    name = inside + "/".join(parts[:depth])
                    found.setdefault(name, {"type": "directory", "path": name, "oid": "0" * 40, "size": 0})
                if is_deep or len(parts) == 1:
                    found[path] = entry(path, file)
        if folder and not found:
            return Reply(404, {"error": "no entry"}, {"X-Error-Code": "EntryNotFound"})
        return self.paged(asked, list(found.values()))

    def paths_info(self, asked: Asked, revision: str) -> Reply:
        commit = self.commit_of(revision)
        if commit is None:
            return Reply(404, {"error": "no revision"}, {"X-Error-Code": "RevisionNotFound"})
        if asked.body.startswith(b"{"):
            paths = json.loads(asked.body)["paths"]
        else:
            paths = parse_qs(asked.body.decode())["paths"]
        found: list[dict[str, Any]] = [entry(path, commit.files[path]) for path in paths if path in commit.files]
        folders = [path for path in paths if any(name.startswith(f"{path}/") for name in commit.files)]
        found += [{"type": "directory", "path": path, "oid": "0" * 40, "size": 0} for path in folders]
        return Reply(200, found)

    def commits_list(self, asked: Asked, revision: str) -> Reply:
        commit = self.commit_of(revision)
        assert commit
        date = "2026-11-22T09:00:00.000Z"
        told = [
            {"id": one.oid, "title": one.title, "message": one.message, "authors": [{"user": "ada"}], "date": date}
            for one in self.history(commit.oid)
        ]
        return self.paged(asked, told)

    def paged(self, asked: Asked, entries: list[dict[str, Any]]) -> Reply:
        start = int(asked.query.get("cursor", ["0"])[0])
        rest = "&".join(f"{name}={quote(values[0])}" for name, values in asked.query.items() if name != "cursor")
        following = f'<{self.url}{asked.path}?{rest}&cursor={start + PAGE}>; rel="next"'
        headers = {"Link": following} if start + PAGE < len(entries) else {}
        return Reply(200, entries[start : start + PAGE], headers)

    def preupload(self, asked: Asked, _: str) -> Reply:
        wanted = json.loads(asked.body)["files"]
        assert len(wanted) <= 256
        commit = self.commits[self.head]
        told = []
        for file in wanted:
            is_large = file["path"].endswith(LARGE) or file["size"] > 10 << 20
            mode = "lfs" if is_large else "regular"
            known = commit.files.get(file["path"])
            oid = None if known is None else (sha256(known.data) if known.is_large else git_sha1(known.data))
            told.append({"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return Reply(200, {"files": told})

    def batch(self, asked: Asked) -> Reply:
        told = []
        for wanted in json.loads(asked.body)["objects"]:
            put = {"href": f"{self.url}/lfs/{wanted['oid']}?signature=secret"}
            verify = {"href": f"{self.url}/datasets/{REPOSITORY}.git/info/lfs/verify"}
            is_new = wanted["oid"] not in self.contents
            told.append(wanted | ({"actions": {"upload": put, "verify": verify}} if is_new else {}))
        return Reply(200, {"transfer": "basic", "objects": told})

    def chunk_store(self, _: Asked, revision: str) -> Reply:
        assert revision == "main"
        return Reply(200, {"accessToken": "of chunks", "exp": 4102444800, "casUrl": f"local://{self.chunks}"})

    def put(self, asked: Asked, oid: str) -> Reply:
        self.sent_bytes += len(asked.body)
        if sha256(asked.body) != oid:
            return Reply(400, {"error": "other bytes than their hash says"})
        self.contents[oid] = asked.body
        return Reply(200, {})

    def verify(self, asked: Asked) -> Reply:
        wanted = json.loads(asked.body)
        there = self.contents.get(wanted["oid"])
        return Reply(200 if there is not None and len(there) == wanted["size"] else 404, {})

    def commit(self, asked: Asked, revision: str) -> Reply:
        assert revision == "main"
        header, *rest = (json.loads(line) for line in asked.body.splitlines())
        wanted = header["value"]
        if wanted.get("parentCommit", self.head) != self.head:
            return Reply(412, {"error": "the branch has moved"})
        files = dict(self.commits[self.head].files)
        for line in rest:
            value = line["value"]
            if line["key"] == "file":
                data = base64.b64decode(value["content"])
                self.sent_bytes += len(data)
                files[value["path"]] = Stored(data, False)
            elif line["key"] == "lfsFile":
                data = self.contents.get(value["oid"])
                if data is None and self.chunks is None:
                    return Reply(400, {"error": f"no content {value['oid']}"})
                files[value["path"]] = Stored(data or b"", True, value["oid"], value["size"])
            elif files.pop(value["path"], None) is None:
                return Reply(404, {"error": "A file with this name doesn't exist"}, {"X-Error-Code": "EntryNotFound"})
        oid = self.make(wanted["summary"], wanted["description"], files)
        return Reply(
            200, {"commitUrl": f"{self.url}/datasets/{REPOSITORY}/commit/{oid}", "commitOid": oid, "hookOutput": ""}
        )

    def tag(self, asked: Asked, revision: str) -> Reply:
        name, commit = json.loads(asked.body)["tag"], self.commit_of(revision)
        if name in self.tags:
            return Reply(409, {"error": "Reference already exists"})
        assert commit
        self.tags[name] = commit.oid
        return Reply(200, {})

    def untag(self, _: Asked, name: str) -> Reply:
        return Reply(200 if self.tags.pop(name, None) else 404, {})

    def squash(self, asked: Asked, _: str) -> Reply:
        files, self.head = self.commits[self.head].files, ""
        self.make(json.loads(asked.body)["message"], "", files)
        return Reply(200, {})

    def large_files(self, asked: Asked) -> Reply:
        at = {"filename": "?", "pushedAt": "2026-11-22T09:00:00.000Z", "ref": None}
        told = [{"fileOid": oid, "oid": oid, "size": len(data), **at} for oid, data in self.contents.items()]
        return self.paged(asked, told)

    def delete_large(self, asked: Asked) -> Reply:
        for oid in json.loads(asked.body)["deletions"]["sha"]:
            self.contents.pop(oid, None)
        return Reply(200, {})

    def resolve(self, asked: Asked, revision: str, path: str) -> Reply:
        commit = self.commit_of(revision)
        file = commit.files.get(path) if commit else None
        if commit is None or file is None:
            return Reply(404, {"error": "no entry"}, {"X-Error-Code": "EntryNotFound"})
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{git_sha1(file.data)}"', "Accept-Ranges": "bytes"}
        if file.is_large:
            headers |= {"X-Linked-Etag": f'"{sha256(file.data)}"', "X-Linked-Size": str(len(file.data))}
        return Reply(200, headers=headers, data=file.data)

    def valid(self, _: Asked) -> Reply:
        return Reply(200, {"errors": [], "warnings": []})


def entry(path: str, file: Stored) -> dict[str, Any]:
    """A file as the tree has it: a large one is a pointer in git."""
    found: dict[str, Any] = {"type": "file", "path": path, "size": len(file.data), "oid": git_sha1(file.data)}
    if file.is_large:
        oid, size = file.sha256 or sha256(file.data), file.size or len(file.data)
        found |= {"oid": git_sha1(b"pointer " + oid.encode()), "size": size}
        found["lfs"] = {"oid": oid, "size": size, "pointerSize": 130}
    return found


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


OF = re.escape(REPOSITORY)
API = f"/api/datasets/{OF}"
ROUTES: tuple[tuple[str, str, Callable[..., Reply]], ...] = (
    ("POST", "/api/repos/create", DatasetSite.create),
    ("POST", "/api/validate-yaml", DatasetSite.valid),
    ("GET", API, DatasetSite.info),
    ("GET", rf"{API}/revision/([^/]+)", DatasetSite.info),
    ("GET", rf"{API}/refs", DatasetSite.refs),
    ("GET", rf"{API}/tree/([^/]+)", DatasetSite.tree),
    ("GET", rf"{API}/tree/([^/]+)/(.+)", DatasetSite.tree),
    ("GET", rf"{API}/commits/([^/]+)", DatasetSite.commits_list),
    ("POST", rf"{API}/paths-info/([^/]+)", DatasetSite.paths_info),
    ("POST", rf"{API}/preupload/([^/]+)", DatasetSite.preupload),
    ("POST", rf"{API}/commit/([^/]+)", DatasetSite.commit),
    ("POST", rf"{API}/tag/([^/]+)", DatasetSite.tag),
    ("DELETE", rf"{API}/tag/([^/]+)", DatasetSite.untag),
    ("POST", rf"{API}/super-squash/([^/]+)", DatasetSite.squash),
    ("GET", rf"{API}/lfs-files", DatasetSite.large_files),
    ("POST", rf"{API}/lfs-files/batch", DatasetSite.delete_large),
    ("POST", rf"/datasets/{OF}\.git/info/lfs/objects/batch", DatasetSite.batch),
    ("POST", rf"/datasets/{OF}\.git/info/lfs/verify", DatasetSite.verify),
    ("GET", rf"{API}/xet-write-token/([^/]+)", DatasetSite.chunk_store),
    ("PUT", "/lfs/([0-9a-f]{64})", DatasetSite.put),
    ("GET", rf"/datasets/{OF}/resolve/([^/]+)/(.+)", DatasetSite.resolve),
)
