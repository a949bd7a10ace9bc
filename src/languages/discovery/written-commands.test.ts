import { describe, expect, test } from "vitest";
import type { ProjectView } from "../contract.ts";
import { expandCommand, listWrittenCommands } from "./written-commands.ts";

function project(texts: Record<string, string>): ProjectView {
  return { files: Object.keys(texts), read: (path) => texts[path], exists: (path) => path in texts };
}

/** `folder: NAME=value command`, in order. */
function commands(texts: Record<string, string>): string[] {
  return listWrittenCommands(project(texts)).map(({ directory, env, text }) => {
    const set = Object.entries(env).map(([name, value]) => `${name}=${value} `);
    return `${directory === "" ? "" : `${directory}: `}${set.join("")}${text}`;
  });
}

function expanded(texts: Record<string, string>, command: string): string[] {
  return expandCommand(project(texts), command).map((one) => one.text);
}

describe("listWrittenCommands", () => {
  test("reads the steps of GitHub's workflows, with their folders, variables and the first of each matrix", () => {
    const workflow = `
env: { RUST_BACKTRACE: 1 }
jobs:
  test:
    defaults: { run: { working-directory: backend } }
    strategy: { matrix: { features: [std, "alloc,serde"] } }
    steps:
      - uses: actions/checkout@v4
      - run: |
          cargo build
          cargo test --features \${{ matrix.features }} # all of them
      - run: cd ../web && npm run test:unit -- --ci
`;
    expect(commands({ ".github/workflows/ci.yml": workflow })).toEqual([
      "backend: RUST_BACKTRACE=1 cargo build",
      "backend: RUST_BACKTRACE=1 cargo test --features std",
      "web: RUST_BACKTRACE=1 npm run test:unit -- --ci",
    ]);
  });

  test("leaves out what makes a variant of the matrix, and secrets", () => {
    const workflow = `
jobs:
  test:
    strategy: { matrix: { include: [{ flags: --cfg special, set: all }] } }
    env: { TOKEN: "\${{ secrets.token }}", PLAIN: "1" }
    steps:
      - run: cargo test --features $SET
        env: { RUSTFLAGS: "\${{ matrix.flags }}", SET: "\${{ matrix.set }}" }
`;
    expect(commands({ ".github/workflows/ci.yml": workflow })).toEqual([
      "PLAIN=1 SET=all cargo test --features $SET",
    ]);
  });

  test("trusts a job that tests more than one that does something else, and says where a command stands", () => {
    const workflow =
      "jobs:\n  lint:\n    steps:\n      - run: pytest --lint\n  test:\n    steps:\n      - run: make test\n";
    const found = listWrittenCommands(
      project({ ".github/workflows/ci.yml": workflow, Makefile: "test:\n\tpytest tests\n" }),
    );
    expect(found.map((one) => [one.text, one.foundBy])).toEqual([
      ["pytest tests", ".github/workflows/ci.yml, job test → make test"],
      ["pytest --lint", ".github/workflows/ci.yml, job lint"],
    ]);
    expect(found).toHaveLength(2);
  });

  test("trusts the plainer of two workflows more", () => {
    const jobOf = (name: string, line: string) => `jobs:\n  ${name}:\n    steps:\n      - run: ${line}\n`;
    const texts = {
      ".github/workflows/test.simd.yml": jobOf("test-simd", "GOEXPERIMENT=simd go test ./..."),
      ".github/workflows/test.yml": jobOf("test", "go test ./..."),
    };
    expect(commands(texts)).toEqual(["go test ./...", "GOEXPERIMENT=simd go test ./..."]);
  });

  test.each([
    [
      ".gitlab-ci.yml",
      "unit:\n  script:\n    - go vet ./...\n    - go test ./...\n",
      ["go vet ./...", "go test ./..."],
    ],
    [".travis.yml", "language: python\nscript: python -m unittest\n", ["python -m unittest"]],
    [
      ".circleci/config.yml",
      "jobs:\n  build:\n    steps:\n      - checkout\n      - run: { command: npm test }\n",
      ["npm test"],
    ],
    [
      "azure-pipelines.yml",
      "jobs:\n  - job: a\n    steps:\n      - script: pytest\n        workingDirectory: src\n",
      ["src: pytest"],
    ],
    [
      "tox.ini",
      "[testenv]\nsetenv =\n  A = b\n  P = a{:}b\ncommands =\n  pytest {posargs:tests}\n  coverage report\n",
      ["A=b P=a:b pytest tests", "A=b P=a:b coverage report"],
    ],
    [
      "noxfile.py",
      'import nox\n\n@nox.session\ndef tests(session):\n    session.install(".")\n    session.run("pytest", "-x", *session.posargs, env={"A": "b"})\n',
      ["pytest -x"],
    ],
    [
      "pyproject.toml",
      '[tool.tox.env_run_base]\ncommands = [["pytest", { replace = "posargs", default = [], extend = true }]]\n',
      ["pytest"],
    ],
    ["pyproject.toml", '[tool.poe.tasks]\ntest = "pytest tests"\nlint = "ruff"\n', ["pytest tests"]],
    ["pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "pytest {args:tests}"\n', ["pytest tests"]],
    [
      "justfile",
      "test *args: build\n    @cargo test {{args}}\n\nbuild:\n    cargo build\n",
      ["cargo build", "cargo test"],
    ],
    ["Taskfile.yml", "tasks:\n  test:\n    cmds:\n      - go test ./...\n", ["go test ./..."]],
    [
      "CONTRIBUTING.md",
      "To test:\n\n```sh\n$ python -m pytest\n```\n\nor `npm test`.\n",
      ["python -m pytest", "npm test"],
    ],
  ])("reads %s", (file, text, expected) => {
    expect(commands({ [file]: text })).toEqual(expected);
  });

  test("does not fail on files that are not what they seem", () => {
    const broken = {
      ".github/workflows/a.yml": "jobs: [",
      ".travis.yml": "- a",
      "tox.ini": "[",
      Makefile: "a: a\n\t$(a",
      "Taskfile.yml": "{",
    };
    expect(() => commands(broken)).not.toThrow();
  });
});

describe("make", () => {
  const makefile = `
GO ?= go
FLAGS := -race
ifdef SLOW
FLAGS += -count=10
else
FLAGS += -short
endif
.PHONY: test
all: build
build: ; $(GO) build
test: build unit
\t@echo done
unit: FLAGS += -v
unit:
\tcd pkg && \\
\t  $(GO) test $(FLAGS) $$(go list ./...)
\t-$(MAKE) -C sub check
`;
  const texts = {
    Makefile: makefile,
    "sub/Makefile": "check:\n\t./run.sh $@\n",
    "sub/run.sh": '#!/bin/sh\nset -e\npytest "$@"\n',
  };

  test("follows variables, needed targets, other Makefiles and scripts", () => {
    expect(expanded(texts, "make test")).toEqual(
      ["go build", "go test -race -count=10 -v ./...", "pytest"].map((text) => text),
    );
  });

  test("takes the variables that are given", () => {
    expect(expanded(texts, "make build GO=go1.26")).toEqual(["go1.26 build"]);
  });

  test("a target that needs itself ends", () => {
    expect(expanded({ Makefile: "a: b\n\tx\nb: a\n\ty\n" }, "make a")).toEqual(["y", "x"]);
  });
});

describe("expandCommand", () => {
  test("leaves wrappers and assignments, and keeps what it cannot follow", () => {
    expect(expanded({}, "A=b timeout 60 xvfb-run -s '-screen 0' npm test | tee log")).toEqual(["npm test"]);
    expect(expanded({}, "make test")).toEqual(["make test"]);
    expect(expanded({}, "./gone.sh")).toEqual(["./gone.sh"]);
  });

  test("follows a chain of scripts and environments", () => {
    const texts = {
      "scripts/test.sh": '#!/bin/bash\ncd "$(dirname "$0")/.."\nuv run tox -e py -- "$@"\n',
      "tox.ini":
        "[base]\ncommands = pytest {posargs}\n[testenv]\ncommands = {[base]commands}\n[testenv:lint]\ncommands = ruff\n",
    };
    expect(expanded(texts, "./scripts/test.sh")).toEqual(['cd "$(dirname "$0")/.."', "pytest"]);
    expect(expanded(texts, "tox -e lint")).toEqual(["ruff"]);
  });
});
