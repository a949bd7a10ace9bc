/** Files that affect how Python's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";
import { compiledLibrary, pythonLibrary } from "./python-library.ts";

const libraries =
  "pytest,_pytest,pluggy,iniconfig,unittest,doctest,nose,nose2,coverage,xdist,hypothesis,mock,pytest_*,_pytest_*";
/** Modules that these libraries import, and Python's own. Python takes a file of the project instead. */
const imported = [
  ...["pygments", "packaging", "colorama", "exceptiongroup", "tomli", "py", "pkg_resources", "setuptools"],
  // Projects have folders called `test` for their own tests.
  ...[...pythonLibrary].filter((name) => name !== "test"),
  ...compiledLibrary,
].join(",");
/** Folders in which Python finds a module by its name. */
const importRoots = "{,src/,lib/,python/,test/,tests/}";

export const pythonJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{pytest.ini,.pytest.ini,pytest.toml,.pytest.toml,tox.ini,tox.toml,conftest.py,.coveragerc,.coveragerc.toml,noxfile.py,nose.cfg,nose2.cfg,.noserc,unittest.cfg}",
    loads:
      /(?:-p[ \t]*|^[ \t]*pytest_plugins\s*(?::[^=\n]*)?\+?=\s*|--confcutdir[= ])(\[[^\]]*\]|\([^)]*\)|[^\s]+)/m,
  },
  { files: "**/{sitecustomize,usercustomize}{.*,/**}" },
  { files: "**/*.pth" },
  { files: "**/*.{egg-info,dist-info,egg-link}{,/**}" },
  { files: "**/{.venv,venv,site-packages}/**" },
  {
    files: "**/setup.cfg",
    parts: {
      format: "ini",
      sections:
        /^(?:default|tool:pytest|pytest|coverage(?::.*)?|nosetests|unittest|aliases|tox(?::.*)?|testenv(?::.*)?|options\.entry_points)$/i,
    },
  },
  {
    files: "**/pyproject.toml",
    parts: {
      format: "toml",
      keys: [
        "tool.pytest",
        "tool.coverage",
        "tool.tox",
        "tool.nox",
        "tool.hatch.envs",
        "tool.pdm.scripts",
        "tool.poe",
        "tool.taskipy",
        "tool.pixi.tasks",
        "tool.pixi.activation",
        "tool.poetry.plugins",
        "project.entry-points.pytest11",
      ],
    },
  },
  { files: "{dodo,pavement}.py" },
  { files: "tasks.py", holding: /^(?:from|import) invoke\b/m },
  { files: "**/hatch.toml", parts: { format: "toml", keys: ["envs"] } },
  {
    files: "**/pixi.toml",
    parts: { format: "toml", keys: ["tasks", "activation", "feature.*.tasks", "feature.*.activation"] },
  },
  { files: `**/{${libraries}}{.py,.pyc,.pyi,.so,.*.so,/**}`, isShadow: true },
  { files: `${importRoots}{${imported}}{.py,.pyc,.so,.*.so,/__init__.py}`, isShadow: true },
];
