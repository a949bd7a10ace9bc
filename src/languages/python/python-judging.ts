/** Files that affect how Python's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

const libraries =
  "pytest,_pytest,pluggy,iniconfig,unittest,doctest,nose,nose2,coverage,xdist,hypothesis,mock,pytest_*,_pytest_*";
/** Modules of Python's standard library that tests use to compare values or to observe the code. */
const standard =
  "abc,ast,asyncio,base64,calendar,collections,configparser,contextlib,copy,csv,dataclasses,datetime,decimal,difflib,enum,filecmp,fractions,functools,glob,hashlib,importlib,inspect,io,json,linecache,logging,numbers,operator,os,pathlib,pickle,pprint,random,re,shutil,statistics,string,subprocess,tempfile,textwrap,threading,token,tokenize,traceback,types,typing,warnings,weakref";
/** Folders in which Python finds a module by its name. */
const importRoots = "{,src/,lib/,python/,test/,tests/}";

export const pythonJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{pytest.ini,.pytest.ini,pytest.toml,.pytest.toml,tox.ini,tox.toml,conftest.py,.coveragerc,.coveragerc.toml,noxfile.py,nose.cfg,.noserc,unittest.cfg}",
    loads: /(?:-p[ \t]*|^[ \t]*pytest_plugins\s*=\s*|--confcutdir[= ])(\[[^\]]*\]|[^\s]+)/m,
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
        "tool.poetry.plugins",
        "project.entry-points.pytest11",
      ],
    },
  },
  { files: `**/{${libraries}}{.py,.pyc,.pyi,.so,.*.so,/**}`, isShadow: true },
  { files: `${importRoots}{${standard}}{.py,.pyc,.so,.*.so,/__init__.py}`, isShadow: true },
];
