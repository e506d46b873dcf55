"""The object store in a folder of this machine."""

import errno
import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from warehouse.errors import NothingThere, StoreFailed
from warehouse.store.objects import TEMPORARY, Keys, parts_of

CHUNK_BYTES: Final = 1 << 20
OURS: Final = re.compile(r"[0-9a-f]{24}")  # the names of files under `.tmp`
# What file systems without hard links, or with too many on one file, answer to link(2).
NO_HARD_LINK: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
# What rmdir(2) answers where others put an object there, or removed the folder, since it was listed.
CHANGED_MEANWHILE: Final = {errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST}
# Failures that only a person can mend, with the next step.
NEXT_STEPS: Final = {
    errno.ENOSPC: "the disk is full; free space there, or name a place with room (PAPERLAKE_LAKE, a target)",
    errno.EDQUOT: "the disk quota is used up; free space there, or name a place with room (PAPERLAKE_LAKE, a target)",
    errno.EACCES: "permission denied; give your user access to it, or name a place you own (PAPERLAKE_LAKE, a target)",
    errno.EPERM: "not permitted; give your user access to it, or name a place you own (PAPERLAKE_LAKE, a target)",
    errno.EFBIG: "the file is larger than this machine allows; see `ulimit -f`",
    errno.EROFS: "the file system is read-only; name a place one can write to (PAPERLAKE_LAKE, a target)",
}


class LocalStore:
    """A `Store` in a folder of this machine.

    New objects are written under `<lake>/.tmp/`, each locked by its writer, fsynced, then linked or renamed into place.
    What a killed process leaves there has no lock any more: the next writer removes it. `swap` holds a lock file there;
    a key that is swapped must not be `put`.
    """

    def __init__(self, root: Path, url: str) -> None:
        self.url = url
        self._root = root.absolute()
        self.folder: Path | None = self._root
        self._is_swept = False

    def read(self, key: str) -> bytes:
        with self.open(key) as file, self._reading(key):
            return file.read()

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        with self.open(key) as file, self._reading(key):
            size = os.fstat(file.fileno()).st_size
            start = file.seek(min(offset, size))
            return file.read(min(length, size - start))  # `read` allocates all that it is asked for

    def open(self, key: str) -> BinaryIO:
        with self._reading(key):
            return self._path(key).open("rb")

    def exists(self, key: str) -> bool:
        with self._reading(key):
            return self._path(key).is_file()

    def size(self, key: str) -> int:
        path = self._path(key)
        with self._reading(key):
            if path.is_dir():
                raise IsADirectoryError(key)
            return path.stat().st_size

    def list(self, prefix: str = "") -> Keys:
        with self._reading(prefix):
            return self._keys(self._path(prefix.rstrip("/")) if prefix else self._root)

    def stored_bytes(self, prefix: str) -> int:
        sizes = dict[int, int]()  # by inode
        with self._reading(prefix):
            for key in self._keys(self._path(prefix)):
                with suppress(FileNotFoundError):  # somebody drops a release
                    found = (self._root / key).lstat()
                    sizes[found.st_ino] = found.st_size
        return sum(sizes.values())

    def put(self, key: str, data: bytes) -> None:
        with self._writing(key):
            self._replace(self._path(key), data)

    def put_new(self, key: str, data: bytes) -> bool:
        with self._writing(key), self._temporary([data]) as made:
            return self._name_new(made, self._path(key))

    def put_file_new(self, key: str, path: Path) -> bool:
        with self._writing(key), path.open("rb") as file:
            chunks = iter(lambda: file.read(CHUNK_BYTES), b"")
            with self._temporary(chunks) as made:
                return self._name_new(made, self._path(key))

    def copy_new(self, source_key: str, key: str) -> bool:
        # A hard link is a copy here, because no object is ever rewritten in place.
        source, target = self._path(source_key), self._path(key)
        if self.exists(key):
            return False
        # A source that is not there is NothingThere, no failure to write
        self.size(source_key)
        with self._writing(key):
            try:
                return _link_new(source, target)
            except OSError as error:
                if error.errno not in NO_HARD_LINK:
                    raise
        return self.put_file_new(key, source)

    def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
        target = self._path(key)
        # No call of a file system compares and replaces, so writers take turns
        with self._writing(key), self._locked():
            current = target.read_bytes() if target.exists() else None
            if current == expected:
                self._replace(target, data)
            return current == expected

    def delete(self, key: str) -> None:
        with self._writing(key):
            self._path(key).unlink(missing_ok=True)

    def delete_all(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.delete(key)

    def delete_prefix(self, prefix: str) -> None:
        folder = self._path(prefix.rstrip("/"))
        with self._writing(prefix):
            for key in self._keys(folder):
                (self._root / key).unlink(missing_ok=True)
            for place, _, _ in os.walk(folder, topdown=False):
                try:
                    Path(place).rmdir()
                except OSError as error:
                    if error.errno not in CHANGED_MEANWHILE:
                        raise

    def temporary(self) -> Keys:
        with self._reading(TEMPORARY):
            return self._keys(self._root / TEMPORARY)

    def sweep(self) -> None:
        for path in (self._root / TEMPORARY).glob("*"):
            if OURS.fullmatch(path.name):
                with suppress(FileNotFoundError, PermissionError, BlockingIOError), path.open("r+b") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()
        self._is_swept = True

    def _path(self, key: str) -> Path:
        parts_of(key)  # UsageError for one that is not valid
        return self._root / key  # in one piece: half of the time

    def _keys(self, folder: Path) -> Keys:
        """The keys in a folder, sorted. Paths are joined as text: a lake of a thousand releases has 300,000 files."""
        root, found = f"{self._root}/", list[str]()
        # through links, as they are read and written
        for place, folders, files in os.walk(folder, onerror=self._not_listed, followlinks=True):
            within = f"{place}/".removeprefix(root)
            if not within:
                folders[:] = [name for name in folders if name != TEMPORARY]
            found += (within + name for name in files)
        return sorted(found)

    def _replace(self, target: Path, data: bytes) -> None:
        with self._temporary([data]) as made:
            make_folder(target.parent)
            made.replace(target)
            sync_folder(target.parent)

    def _name_new(self, made: Path, target: Path) -> bool:
        """Give a finished file its name unless that is taken."""
        try:
            return _link_new(made, target)
        except OSError as error:
            if error.errno not in NO_HARD_LINK:
                raise
        with self._locked():  # a file system without hard links
            if target.exists():
                return False
            made.rename(target)
            sync_folder(target.parent)
            return True

    @contextmanager
    def _temporary(self, chunks: Iterable[bytes]) -> Iterator[Path]:
        """A finished file of these bytes, on the lake's own file system, gone afterwards unless it was renamed."""
        with self._begun() as file:
            made = Path(file.name)
            try:
                for chunk in chunks:
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
                yield made
            finally:
                made.unlink(missing_ok=True)

    def _begun(self) -> BinaryIO:
        """A new file under `.tmp`, locked as long as it is open."""
        # Neither link(2) nor rename(2) crosses file systems
        folder = self._root / TEMPORARY
        make_folder(folder)
        if not self._is_swept:
            self.sweep()
        file = (folder / os.urandom(12).hex()).open("xb")
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another process swept between the two calls
        return self._begun()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self._root / TEMPORARY / "lock"
        make_folder(lock.parent)
        with lock.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # the kernel lets go when the process ends, however it ends
            yield

    @contextmanager
    def _reading(self, key: str) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
            raise NothingThere(f"{key} is not in the lake {self.url}") from error
        except OSError as error:
            raise self._failed("read", key, error) from error

    @contextmanager
    def _writing(self, key: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._failed("write", key, error) from error

    def _not_listed(self, error: OSError) -> None:
        """Name the folder that cannot be read; one that is gone meanwhile has no files."""
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            folder = Path(error.filename).relative_to(self._root)
            raise self._failed("read", "" if folder == Path() else folder.as_posix(), error) from error

    def _failed(self, doing: str, key: str, error: OSError) -> StoreFailed:
        cause = (error.strerror or str(error)).lower()
        known = NEXT_STEPS.get(error.errno or 0)
        step = known or f"{cause}; see whether the place is right (PAPERLAKE_LAKE, a target), and its disk sound"
        what = f"could not {doing} {key or 'the list of objects'} in {self.url}"
        return StoreFailed(f"{what}: {step}", may_pass=known is None)


def _link_new(made: Path, target: Path) -> bool:
    """Give a file its name with link(2), which atomically refuses a name that is taken; whether it got it."""
    make_folder(target.parent)
    try:
        os.link(made, target)
    except FileExistsError:
        if target.is_dir():
            raise
        return False
    sync_folder(target.parent)
    return True


def make_folder(folder: Path) -> None:
    """Make a folder and those it lies in, each of them durable in its own parent."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
