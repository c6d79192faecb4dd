"""The arrows point one way: pages -> memory -> papers -> words, and each vendor has one file."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ("recurrence", "construction", "graph", "reconstruction", "state_tree")
# what a paper's file would hold if it were longer
STATES = {"tiers", "writing", "extraction", "triples", "run_state"}
WORDS = {"records", "events", "errors", "settings", "stopping", "words"}
ABOVE_A_STORE = (
    "recurrence", "tiers", "construction", "reconstruction", "run_state", "state_tree", "execution_tree"
)  # fmt: skip
MAY_USE = {
    "errors": set[str](),
    "words": set[str](),
    "settings": set[str](),
    "records": set[str](),
    "access.permissions": set[str](),
    "events": {"errors", "access.permissions"},
    "withholding": {"events"},
    "vectors": set[str](),
    "grouped": set[str](),
    "graph": {"words", "records", "errors", "settings", "vectors", "grouped"},
    **{paper: WORDS | {"graph", "llm.protocols", *STATES} for paper in PAPERS if paper != "graph"},
    "state_tree": WORDS | {"execution_tree", "tokens"},
    "tokens": set[str](),
    "nearest": set[str](),
    "stopping": set[str](),
    "locks": set[str](),
    "tiers": {"nearest", "records", "settings"},
    "writing": WORDS,
    "run_state": {"events"},
    "execution_tree": {"events"},
    "active_state": {"execution_tree", "settings"},
    "channels": {"graph", "grouped", "words"},
    "extraction": {"records"},
    "triples": {"records", "words", "extraction"},
    "question": WORDS | {"graph", "llm.protocols", "extraction"},
    "reach": WORDS | {"graph"},
    "read_budget": {"graph"},
}
ONLY_IN = {
    "lancedb": ("memcore/store/",),
    "pyarrow": ("memcore/store/",),
    "lance": ("memcore/store/",),
    "anthropic": ("memcore/llm/claude.py",),
    "google": ("memcore/llm/gemini.py",),
    "streamlit": ("app.py", "pages/"),
    "pyvis": ("memcore/view/", "pages/"),
    "onnxruntime": ("memcore/llm/",),
}


def inside(*folder: str) -> list[Path]:
    """Every Python file of a folder, which holds some."""
    found = sorted(ROOT.joinpath(*folder).rglob("*.py"))
    assert found, f"{'/'.join(folder)} holds no Python file"
    return found


def sources() -> list[Path]:
    """Every Python file of the program, tests left out."""
    return [ROOT / "app.py", *inside("memcore"), *inside("pages")]


@cache
def imports(path: Path) -> list[tuple[str, int]]:
    """Full dotted names a file imports, wherever in the file, and the level of relative ones."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(f"{node.module or ''}.{alias.name}", node.level) for alias in node.names]
    return found


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_a_vendor_is_imported_only_where_it_belongs(path: Path) -> None:
    for imported, level in imports(path):
        assert level == 0, f"{name_of(path)} imports relatively"
        places = ONLY_IN.get(imported.split(".")[0])
        assert places is None or name_of(path).startswith(places), f"{name_of(path)} imports {imported}"


def test_nothing_below_the_pages_imports_the_pages() -> None:
    for path in inside("memcore"):
        assert not [n for n, _ in imports(path) if n.split(".")[0] in ("app", "pages")], name_of(path)


def test_pages_ask_the_seam_and_open_no_store_themselves() -> None:
    """They may name its types."""
    for path in inside("pages"):
        tree = ast.parse(path.read_text("utf-8"))
        typing = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
        named = {id(n) for block in typing for n in ast.walk(block)}
        opened = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and id(n) not in named]
        store = {m for m in opened if m and m.startswith("memcore.store")}
        assert not store, f"{name_of(path)} imports {store}"


@pytest.mark.parametrize("module", sorted(MAY_USE))
def test_words_and_papers_import_only_what_lies_below_them(module: str) -> None:
    package = ROOT / "memcore" / module.replace(".", "/")
    files = inside("memcore", *module.split(".")) if package.is_dir() else [package.with_suffix(".py")]
    for path in files:
        for imported, _ in imports(path):
            if imported.startswith("memcore."):
                below = imported.removeprefix("memcore.")
                allowed = any(below == m or below.startswith(f"{m}.") for m in (*MAY_USE[module], module))
                assert allowed, f"{name_of(path)} imports {imported}"


@pytest.mark.parametrize("folder", ["store", "importing", "llm", "view"])
def test_the_outside_does_not_know_the_seam(folder: str) -> None:
    seam = (
        "memcore.memor",
        "memcore.reading.",
        "memcore.changing",
        "memcore.intake.conversations",
        "memcore.cli",
        "memcore.serving",
        "memcore.samples",
    )
    for path in inside("memcore", folder):
        assert not [n for n, _ in imports(path) if n.startswith(seam)], name_of(path)


def test_a_view_runs_no_extractor() -> None:
    for path in inside("memcore", "view"):
        assert not [n for n, _ in imports(path) if n.startswith("memcore.llm.offline")], name_of(path)


@pytest.mark.parametrize("folder", ["store", "importing"])
def test_store_and_importers_do_not_know_the_papers_or_each_other(folder: str) -> None:
    other = {"store": "importing", "importing": "store"}[folder]
    for path in inside("memcore", folder):
        barred = (f"memcore.{other}", "memcore.llm.offline", *(f"memcore.{paper}" for paper in ABOVE_A_STORE))
        assert not [n for n, _ in imports(path) if n.startswith(barred)], name_of(path)


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("memcore.events", ("lancedb", "pyarrow", "numpy", "streamlit")),
        ("memcore.reconstruction", ("lancedb", "pyarrow", "streamlit")),
        ("memcore.cli", ("lancedb", "streamlit", "anthropic", "google.genai")),
        ("memcore.memories", ("streamlit", "anthropic", "google.genai")),
    ],
)
def test_importing_a_module_loads_no_more_than_it_needs(module: str, absent: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([m for m in {absent!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import memcore

    assert [getattr(memcore, name).__name__ for name in memcore.__all__] == memcore.__all__


def test_the_environment_is_read_in_settings_and_models_only() -> None:
    for path in inside("memcore"):
        if name_of(path) == "memcore/settings.py" or "/llm/" in name_of(path):
            continue
        text = path.read_text("utf-8")
        handed_on = name_of(path) == "memcore/serving.py"  # gives its own environment to the server
        assert handed_on or ("os.environ" not in text and "getenv" not in text), name_of(path)
