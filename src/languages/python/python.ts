import { defineLanguage } from "../contract.ts";
import { pythonStems } from "./python-imports.ts";

export default defineLanguage({
  name: "python",
  extensions: [".py", ".pyi"],
  grammar: () => "tree-sitter-python/tree-sitter-python.wasm",
  testFiles: [
    "**/test_*.py",
    "**/*_test.py",
    "**/tests.py",
    "**/conftest.py",
    "**/test/**/*.py",
    "**/tests/**/*.py",
  ],
  buildScripts: ["setup.py"],
  constants: { null: "None", true: "True", false: "False" },
  toolchain: [
    {
      name: "python3",
      argv: ["python3", "--version"],
      remedy: "Install Python 3.8 or later to repair Python repositories.",
    },
    {
      name: "pytest (global)",
      argv: ["python3", "-m", "pytest", "--version"],
      remedy: "Run `pip install pytest`; needed only if a repository's own .venv has no pytest.",
    },
  ],
  probes: [
    { markers: [".py", "pyproject.toml"], programs: ["python3 --version", "python3 -m pytest --version"] },
  ],
  runners: ["pytest", "tox", "nox", "unittest"],
  importedStems: pythonStems,
  searchesFolders: true,
  // The fixtures of a `conftest.py` serve the tests of its folder and of the folders below.
  sharesWithout: (path, other) =>
    /(?:^|\/)conftest\.py$/.test(other) && path.startsWith(other.slice(0, -"conftest.py".length)),
  definesByRunning: true,
  lineComment: "#",
  interpreted: true,
  idleStatement: "[None]",
  lockFiles: {
    "poetry.lock": "poetry",
    "uv.lock": "uv",
    "Pipfile.lock": "pipenv",
    "requirements.txt": "pip",
  },
  interpreters: ["python[\\d.]*", "pypy[\\d.]*"],
  homeFolders: [
    ".local/lib",
    ".local/pipx",
    ".local/share/pypoetry",
    ".local/share/uv/python",
    ".local/share/uv/tools",
    ".local/share/virtualenvs",
    ".pyenv",
    "anaconda3",
    "mambaforge",
    "miniconda3",
    "miniforge3",
  ],
  variables: ["CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV"],
});
