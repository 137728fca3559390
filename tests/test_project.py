"""The project as a stranger meets it: clean files, pinned locks, a wheel that runs elsewhere, a README that is true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
LOCKS = sorted(ROOT.glob("requirements*.lock"))

# Written in pieces, so that this file does not name what it forbids.
REGISTRIES = re.compile(r"\bpypi\.(?:org|io)|python" + r"hosted|registry\.(?:npmjs|yarnpkg)|deb\.(?:debian|nodesource)")
MACHINE_PATHS = re.compile(r"(?<![\w.\-])/(?:work|root|farm)(?![\w\-])")
LOCKED = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)(?P<marker> ; [^\\#]+?)?(?: --hash=sha256:[0-9a-f]{64})+"
)

LINES_PER_FILE = 300
# A file of tco/ that may exceed the limit, and why.
LONGER = {"tco/scenario/schema.py": "the scenario file, to be read whole"}


def tracked_files() -> list[Path]:
    """What the repository holds, or would hold after `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs a git checkout")
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="ignore")


@pytest.mark.parametrize("pattern", [REGISTRIES, MACHINE_PATHS], ids=["registry host", "path of a machine"])
def test_no_file_names_a_registry_or_a_machine(pattern: re.Pattern[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


def test_the_patterns_find_what_they_forbid() -> None:
    assert REGISTRIES.search("https://" + "pypi" + ".org/simple")
    assert REGISTRIES.search("files.python" + "hosted.org")
    assert MACHINE_PATHS.search("see /" + "work/main")
    assert MACHINE_PATHS.search("HOME=/" + "root")
    assert not MACHINE_PATHS.search("https://example.com/work/paper")


def locked(path: Path) -> dict[str, str]:
    """Names and versions of a lock file; every line is pinned and hashed, or the test fails."""
    versions = {}
    for line in re.sub(r"\s*\\\n\s*", " ", path.read_text(encoding="utf-8")).splitlines():
        match = LOCKED.fullmatch(line.strip())
        assert match, f"{path.name}: not `name==version` with sha256 hashes: {line[:80]}"
        assert match["name"] not in versions, f"{path.name}: {match['name']} is pinned twice"
        versions[match["name"]] = match["version"]
    return versions


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_a_lock_file_is_pinned_hashed_and_names_no_address(path: Path) -> None:
    assert locked(path)
    assert not re.search(r"://|--index|--find-links|--extra-index|@ ", text_of(path))


def test_lock_files_agree_with_each_other_and_the_project() -> None:
    runtime, test, dev, oracle, pdf = (
        locked(ROOT / f"requirements{kind}.lock") for kind in ("", "-test", "-dev", "-oracle", "-pdf")
    )
    assert runtime.items() <= test.items() <= dev.items()
    assert all(dev.get(name, version) == version for name, version in (oracle | pdf).items())
    extras, groups = PROJECT["optional-dependencies"], PYPROJECT["dependency-groups"]
    assert groups["pdf"] == extras["pdf"]
    wanted = [
        (PROJECT["dependencies"], runtime), (extras["test"], test), (extras["dev"], dev), (groups["oracle"], oracle),
        (groups["pdf"], pdf),
    ]  # fmt: skip
    for requirements, versions in wanted:
        for requirement in map(Requirement, requirements):
            version = versions.get(canonicalize_name(requirement.name))
            assert version, f"{requirement.name} is not locked: run `make lock`"
            assert version in requirement.specifier, (
                f"{requirement.name} {version} does not satisfy {requirement}: run `make lock`"
            )


def test_no_module_is_long() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(text_of(path).splitlines()) for path in (ROOT / "tco").rglob("*.py")
    }
    long = {name for name, length in lengths.items() if length > LINES_PER_FILE}
    assert long == set(LONGER), "split them, or enter them in LONGER with the reason"


def data_files() -> set[str]:
    """Templates, starter scenarios and catalogue, by their path inside the wheel."""
    folders = {"templates": "tco/templates", "scenarios": "tco/scenarios", "tco/catalogue": "tco/catalogue"}
    return {
        f"{target}/{path.relative_to(ROOT / source).as_posix()}"
        for source, target in folders.items()
        for path in (ROOT / source).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the source archive, built without asking any registry."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


def test_data_files_exist() -> None:
    kinds = {name.rsplit("/", 1)[0] for name in data_files()}
    assert kinds >= {"tco/templates", "tco/scenarios", "tco/catalogue"}


def test_the_wheel_holds_templates_scenarios_and_catalogue(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as wheel:
        names = set(wheel.namelist())
    assert data_files() <= names
    strangers = {name.split("/")[0] for name in names} - {"tco", f"tco_engine-{PROJECT['version']}.dist-info"}
    assert not strangers


def test_the_source_archive_holds_them_as_real_files(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        prefix = archive.getnames()[0].split("/")[0]
        real = {member.name.removeprefix(f"{prefix}/") for member in archive if member.isfile()}
    beside = {name.removeprefix("tco/") for name in data_files() if not name.startswith("tco/catalogue/")}
    assert data_files() | beside <= real
    assert {"Makefile", "LICENSE", "README.md", "tests/conftest.py", "requirements.lock"} <= real


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was installed, without its dependencies."""
    target = tmp_path_factory.mktemp("installed")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(target),
        str(built["wheel"]),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return target


@pytest.mark.parametrize("arguments", [["new", "mine.yaml"], ["catalogue", "list"]], ids=" ".join)
def test_an_installed_wheel_works_outside_the_checkout(arguments: list[str], installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert Path(run("-c", "import tco; print(tco.__file__)").strip()).is_relative_to(installed)
    printed = run(str(installed / "bin" / "tco"), *arguments)
    assert (
        printed == run("-m", "tco", *arguments)
        if arguments[0] != "new"
        else (tmp_path / "mine.yaml").stat().st_size > 0
    )


def readme_commands(program: str) -> set[str]:
    """Every `program word` of the README's code, inline and in blocks."""
    code = re.findall(r"(?ms)```.*?```|`[^`\n]+`|^ {4}[^\n]+", text_of(ROOT / "README.md"))
    return {word for piece in code for word in re.findall(rf"(?:^|[\s`/]){program} ([a-z]+)\b", piece)}


def test_every_make_target_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), flags=re.MULTILINE))
    assert {"demo", "test"} <= readme_commands("make") <= targets


def test_every_command_of_the_readme_exists() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tco", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    offered = set(re.findall(r"^ {2}([a-z]+)\b", done.stdout, flags=re.MULTILINE))
    assert {"run", "new"} <= readme_commands("tco") <= offered, done.stderr


def test_continuous_integration_calls_the_command_of_the_readme() -> None:
    script = text_of(ROOT / ".ci" / "run")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert re.search(r"^make test$", script, flags=re.MULTILINE)
    assert "TCO_REQUIRE_ALL=1" in script


def test_continuous_integration_requires_the_oracle_where_it_has_a_wheel() -> None:
    script = text_of(ROOT / ".ci" / "run")
    before = script[: script.index("\nmake test\n")]
    assert "\nmake .venv/.oracle" in before
    assert re.search(r"^\[ .* != \"Linux x86_64\" \] \|\| export TCO_REQUIRE_ORACLE=1$", before, flags=re.MULTILINE)
