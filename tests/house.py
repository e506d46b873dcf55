"""The house in numbers, counted from its source: folders, stems, private functions, who reads the environment.

    python -m tests.house [ROOT]

prints them room by room.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ROOMS = ("paperlake", "flows", "transforms", "expectations", "warehouse")


class Functions(NamedTuple):
    """Of a room: how many functions and methods it has, and which are private and used once."""

    count: int
    used_once: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of functions that are private and used once; httpx has 5 %, tenacity 7 %."""
        return len(self.used_once) / self.count if self.count else 0.0


def modules(root: Path = ROOT) -> list[Path]:
    """Every module of the product but `__init__.py`, as a path from the root."""
    found = (path.relative_to(root) for room in ROOMS for path in (root / room).rglob("*.py"))
    return sorted(path for path in found if path.name != "__init__.py")


def modules_a_folder(root: Path = ROOT) -> Counter[Path]:
    return Counter(path.parent for path in modules(root))


def stems(root: Path = ROOT) -> dict[str, list[Path]]:
    """The stems that stand more than once, but for the declaration of a core table and its transform."""
    found = defaultdict(list)
    for path in modules(root):
        found[path.stem].append(path)
    pair = {Path("transforms/core"), Path("warehouse/schema/core")}
    return {stem: paths for stem, paths in found.items() if len(paths) > 1 and {path.parent for path in paths} != pair}


def functions(room: str, root: Path = ROOT) -> Functions:
    """A use is any mention of the name in the module that defines it, the definition aside."""
    count, once = 0, []
    for path in sorted((root / room).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        defined = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        uses = Counter(mentions(tree))
        count += len(defined)
        once += [f"{path.relative_to(root)}:{name}" for name in defined if is_private(name) and uses[name] <= 1]
    return Functions(count, tuple(once))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name != "_"


def mentions(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def readers_of_the_environment(root: Path = ROOT) -> list[Path]:
    """The modules outside flows/runtime that name `os.environ` or `os.getenv`."""
    named = {"environ", "getenv", "putenv"}
    return [
        path
        for path in modules(root)
        if path.parts[:2] != ("flows", "runtime") and named & {*mentions(ast.parse((root / path).read_text("utf-8")))}
    ]


def imported(folders: tuple[str, ...], root: Path = ROOT) -> set[str]:
    """The top-level names that the modules in these folders import, wherever in them."""
    names = set()
    for folder in folders:
        for path in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.partition(".")[0])
    return names


def folders_that_import_each_other(root: Path = ROOT) -> list[tuple[str, str]]:
    """The pairs of folders of which each has a module that imports one of the other."""
    edges = {(one.parent.as_posix(), other.parent.as_posix()) for one, other in _imports(root)}
    return sorted((one, other) for one, other in edges if one < other and (other, one) in edges)


def modules_in_a_circle(root: Path = ROOT) -> list[str]:
    """Modules that lead back to the first by their imports, wherever in a module these stand; none if none do."""
    needed = defaultdict(set)
    for one, other in _imports(root):
        needed[one.as_posix()].add(other.as_posix())
    try:
        TopologicalSorter(needed).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imports(root: Path) -> Iterator[tuple[Path, Path]]:
    """Each module with each other one that it imports."""
    named = {path.with_suffix("").as_posix().replace("/", "."): path for path in modules(root)}
    for path in modules(root):
        for imported_module in _imported_modules(root / path):
            if (found := named.get(imported_module)) is not None:
                yield path, found


def _imported_modules(path: Path) -> Iterator[str]:
    """The modules that a file may mean: of `from a import b` both `a` and `a.b`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def types_of_two_meanings(root: Path = ROOT) -> dict[str, list[str]]:
    """The names that more than one module gives to a class or to an alias of types."""
    found = defaultdict(list)
    for path in modules(root):
        for node in ast.parse((root / path).read_text("utf-8")).body:
            if (name := _type_named(node)) is not None:
                found[name].append(path.as_posix())
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _type_named(node: ast.stmt) -> str | None:
    """The name of the type that a statement at the top of a module defines."""
    if isinstance(node, ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id if "TypeAlias" in ast.dump(node.annotation) else None
    if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
        return None
    name = node.targets[0].id
    is_alias = isinstance(node.value, ast.Subscript) and name[:1].isupper() and not name.isupper()
    return name if is_alias else None


def main(root: Path) -> None:
    for room in ROOMS:
        found = functions(room, root)
        print(f"{room}: {found.count} functions, {len(found.used_once)} private and used once ({found.share:.1%})")
    for folder, number in modules_a_folder(root).most_common(5):
        print(f"{folder}: {number} modules")
    for stem, paths in sorted(stems(root).items()):
        print(f"{stem}: {', '.join(map(str, paths))}")
    for path in readers_of_the_environment(root):
        print(f"{path} reads the environment")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
