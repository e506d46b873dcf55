"""The house in numbers, counted from its source: folders, stems, private functions, imports and types."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ROOMS = ("paperlake", "flows", "transforms", "expectations", "warehouse")


class Source(NamedTuple):
    """What stands in a file: every name and attribute that it mentions, each function, each module that it imports."""

    mentions: Counter[str]
    functions: tuple[str, ...]
    imports: frozenset[str]
    types: tuple[str, ...]


@cache
def source(path: Path) -> Source:
    """A file, parsed once. Of `from a import b` both `a` and `a.b` may be meant."""
    mentions, functions, imports = Counter[str](), [], set()
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                mentions[name] += 1
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                functions.append(name)
            case ast.Import(names=names):
                imports.update(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                imports.update({module}, (f"{module}.{alias.name}" for alias in names))
    types = tuple(filter(None, map(_type_named, tree.body)))
    return Source(mentions, tuple(functions), frozenset(imports), types)


class Functions(NamedTuple):
    """Of a room: how many functions and methods it has, and which are private and used once."""

    count: int
    used_once: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of functions that are private and used once; httpx has 5 %, tenacity 7 %."""
        return len(self.used_once) / self.count if self.count else 0.0


def modules() -> list[Path]:
    """Every module of the product but `__init__.py`, as a path from the root."""
    found = (path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return sorted(path for path in found if path.name != "__init__.py")


def modules_a_folder() -> Counter[Path]:
    return Counter(path.parent for path in modules())


def stems() -> dict[str, list[Path]]:
    """The stems that stand more than once, but for the declaration of a core table and its transform."""
    found = defaultdict(list)
    for path in modules():
        found[path.stem].append(path)
    pair = {Path("transforms/core"), Path("warehouse/schema/core")}
    return {stem: paths for stem, paths in found.items() if len(paths) > 1 and {path.parent for path in paths} != pair}


def functions(room: str) -> Functions:
    """A use is any mention of the name in the module that defines it, the definition aside."""
    count, once = 0, []
    for path in sorted((ROOT / room).rglob("*.py")):
        found = source(path)
        count += len(found.functions)
        used = (name for name in found.functions if is_private(name) and found.mentions[name] <= 1)
        once += [f"{path.relative_to(ROOT)}:{name}" for name in used]
    return Functions(count, tuple(once))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name != "_"


def imported(folders: tuple[str, ...]) -> set[str]:
    """The top-level names that the modules in these folders import, wherever in them."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {name.partition(".")[0] for path in paths for name in source(path).imports}


def folders_that_import_each_other() -> list[tuple[str, str]]:
    """The pairs of folders of which each has a module that imports one of the other."""
    edges = {(one.parent.as_posix(), other.parent.as_posix()) for one, others in _needed() for other in others}
    return sorted((one, other) for one, other in edges if one < other and (other, one) in edges)


def modules_in_a_circle() -> list[str]:
    """Modules that lead back to the first by their imports, wherever in a module these stand; none if none do."""
    try:
        TopologicalSorter(dict(_needed())).prepare()
    except CycleError as error:
        return [path.as_posix() for path in error.args[1]]
    return []


def _needed() -> Iterator[tuple[Path, set[Path]]]:
    """Each module with the others that it imports."""
    named = {path.with_suffix("").as_posix().replace("/", "."): path for path in modules()}
    for path in modules():
        yield path, {named[name] for name in source(ROOT / path).imports & named.keys()}


def types_of_two_meanings() -> dict[str, list[str]]:
    """The names that more than one module gives to a class or to an alias of types."""
    found = defaultdict(list)
    for path in modules():
        for name in source(ROOT / path).types:
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
