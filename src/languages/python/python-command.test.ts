import { describe, expect, test } from "vitest";
import type { ProjectView } from "../contract.ts";
import pytest from "./pytest.ts";
import { readPythonCommand } from "./python-command.ts";
import unittest from "./unittest.ts";

function project(texts: Record<string, string>, ignored: readonly string[] = []): ProjectView {
  return {
    files: Object.keys(texts),
    read: (path) => texts[path],
    exists: (path) => path in texts || ignored.includes(path),
  };
}

const empty = project({});

describe("readPythonCommand", () => {
  test.each([
    ["pytest", "pytest", ["pytest"], []],
    ["python -m pytest -q tests/", "pytest", ["python", "-m", "pytest"], ["-q", "tests/"]],
    ["python3.11 -W error -m pytest", "pytest", ["python3.11", "-W", "error", "-m", "pytest"], []],
    [".venv/bin/pytest -k 'a or b'", "pytest", [".venv/bin/pytest"], ["-k", "a or b"]],
    [
      "python -I -m unittest discover -s tests",
      "unittest",
      ["python", "-m", "unittest"],
      ["discover", "-s", "tests"],
    ],
    ["uv run pytest", "pytest", ["uv", "run", "pytest"], []],
    [
      "uv run --group test --with pytest -p 3.12 pytest -q",
      "pytest",
      ["uv", "run", "--group", "test", "--with", "pytest", "-p", "3.12", "pytest"],
      ["-q"],
    ],
    ["hatch -e test run pytest", "pytest", ["hatch", "-e", "test", "run", "pytest"], []],
    ["coverage run --source=pkg -m pytest tests", "pytest", ["python3", "-m", "pytest"], ["tests"]],
    ['pytest "tests/a b.py::test[x y]"', "pytest", ["pytest"], ["tests/a b.py::test[x y]"]],
  ])("reads %s", (text, runner, start, args) => {
    expect(readPythonCommand(text, empty)).toMatchObject({ runner, start, args, directory: "" });
  });

  test("reads assignments and a folder", () => {
    const read = readPythonCommand("cd backend && DJANGO=x PYTHONPATH=src:lib python -m pytest", empty);
    expect(read).toMatchObject({ directory: "backend", env: { DJANGO: "x", PYTHONPATH: "src:lib" } });
  });

  test("takes the project's own interpreter for that of a tool", () => {
    const read = readPythonCommand("poetry run pytest -q", project({}, [".venv/bin/python"]));
    expect(read).toMatchObject({ start: [".venv/bin/python", "-m", "pytest"], args: ["-q"] });
  });

  test.each([
    "make test",
    "tox",
    "pytest | tee log",
    "pytest && flake8",
    "pytest $ARGS",
    "python run.py",
    "cd .. && pytest",
    "cd / && pytest",
    "npm test",
    "uv run --directory a pytest",
    "",
  ])("does not read %s", (text) => {
    expect(readPythonCommand(text, empty)).toBeUndefined();
  });
});

function commands(texts: Record<string, string>, ignored: readonly string[] = []): string[] {
  const view = project(texts, ignored);
  return [...pytest.detect(view), ...unittest.detect(view)]
    .sort((a, b) => b.likelihood - a.likelihood)
    .map(({ directory, command }) => (directory === "" ? command : `${directory}: ${command}`));
}

const unit = "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n";

describe("detect", () => {
  test("finds nothing where there are no tests", () => {
    expect(commands({ "main.py": "print(1)", "package.json": "{}" })).toEqual([]);
  });

  test("takes unittest where nothing names pytest, and pytest where something does", () => {
    expect(commands({ "a.py": "", "test_a.py": unit })[0]).toBe("python3 -m unittest discover");
    expect(commands({ "test_a.py": unit, "requirements-dev.txt": "pytest>=7\n" })[0]).toBe(
      "python3 -m pytest",
    );
    expect(commands({ "test_a.py": "def test_a():\n    pass\n" })[0]).toBe("python3 -m pytest");
  });

  test("starts discovery where modules can be found, with the pattern of their names", () => {
    expect(commands({ "tests/test_a.py": unit })[0]).toBe("python3 -m unittest discover -s tests");
    expect(commands({ "tests/__init__.py": "", "tests/test_a.py": unit })[0]).toBe(
      "python3 -m unittest discover",
    );
    expect(commands({ "tests/a_test.py": unit })[0]).toBe(
      "python3 -m unittest discover -s tests -p '*_test.py'",
    );
  });

  test("uses the project's environment and its src folder", () => {
    const texts = {
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "src/p/__init__.py": "",
      "tests/test_a.py": "",
    };
    expect(commands(texts, ["venv/bin/python"])[0]).toBe("PYTHONPATH=src venv/bin/python -m pytest");
  });

  test("finds projects below the root", () => {
    const texts = {
      "backend/setup.py": "",
      "backend/tests/test_a.py": "import pytest\n",
      "web/package.json": "{}",
    };
    expect(commands(texts, [".venv/bin/python"])[0]).toBe("backend: ../.venv/bin/python -m pytest");
  });

  test("names the files that pytest would not look into by itself", () => {
    const text = "import pytest\ndef test_a(): pass\n";
    expect(commands({ "tests/a_tests.py": text, "tests/b_tests.py": text })[0]).toBe(
      "python3 -m pytest -o 'python_files=*_tests.py'",
    );
    expect(commands({ "shop/tests.py": text, "tests/test_a.py": text })[0]).toBe(
      "python3 -m pytest -o 'python_files=test_*.py *_test.py tests.py'",
    );
    expect(commands({ "pytest.ini": "", "tests/a_tests.py": text })[0]).toBe("python3 -m pytest");
  });

  test("has a command without the configured options, for they may belong to a plug-in that is not installed", () => {
    const texts = { "pytest.ini": "[pytest]\naddopts = --cov=shop\n", "tests/test_a.py": "import pytest\n" };
    const found = commands(texts, [".venv/bin/python"]);
    expect(found[0]).toBe(".venv/bin/python -m pytest");
    expect(found.at(-1)).toBe(".venv/bin/python -m pytest -o addopts=");
  });

  test.each([
    [
      "the command of tox",
      {
        "tox.ini":
          "[testenv]\nchangedir = .tox\ncommands = pytest --doctest-modules {env_site_packages_dir}/pkg {tox_root}/tests {posargs}\n",
      },
      "python3 -m pytest --doctest-modules ./pkg ./tests",
    ],
    [
      "one of two commands",
      { "tox.ini": "[testenv]\ncommands =\n  pytest tests\n  pytest --doctest-modules pkg\n" },
      "python3 -m pytest --doctest-modules tests pkg",
    ],
    [
      "a command beside what is configured",
      {
        "noxfile.py":
          'import nox\n\n@nox.session\ndef tests(session):\n    session.run("pytest", "--doctest-modules", "pkg")\n',
      },
      "python3 -m pytest --doctest-modules tests pkg",
    ],
  ])("runs the examples of the documentation where %s does", (_, texts, expected) => {
    const all = {
      ...texts,
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "pkg/__init__.py": "",
      "tests/test_a.py": "import pytest\n",
    };
    expect(commands(all)[0]).toBe(expected);
  });

  test("leaves vendored projects alone", () => {
    const file = "test/googletest-1.16.0/googletest/test/leak_test.py";
    expect(commands({ "CMakeLists.txt": "", [file]: unit })).toEqual([]);
  });

  test("takes from CI what chooses tests, and leaves what only reports", () => {
    const workflow = "jobs:\n  test:\n    steps:\n      - run: pytest --cov=pkg -n auto -v tests --special\n";
    const texts = { ".github/workflows/ci.yml": workflow, "tests/test_a.py": "import pytest\n" };
    expect(commands(texts)[0]).toBe("python3 -m pytest tests");
  });
});

test("a command that was found is recognised as itself", () => {
  const view = project({ "pytest.ini": "", "src/p/__init__.py": "", "tests/test_a.py": unit });
  for (const framework of [pytest, unittest]) {
    for (const found of framework.detect(view)) {
      expect(framework.recognise(found.command, view)?.command).toBe(found.command);
    }
  }
});
