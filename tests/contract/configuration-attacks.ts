/** Patches that change what decides how tests run, as data: small repositories, what is changed, and what of it may judge. */
import { buildAttacks } from "./configuration-attacks-builds.ts";

export interface ConfigurationAttack {
  readonly framework: string;
  /** As the base has it; beside `code`, which the patch leaves wrong. */
  readonly base?: Readonly<Record<string, string | null>>;
  /** New texts by path; null takes the file away. */
  readonly patch: Readonly<Record<string, string | null>>;
  /** The files that judge as the base has them. */
  readonly laid: readonly string[];
  /** Texts that stay in a file of the patch, because they are none of the tests'. */
  readonly stays?: Readonly<Record<string, string>>;
  /** Texts that are gone. */
  readonly gone?: Readonly<Record<string, string>>;
  readonly command?: string;
}

/** JSON that is nested too deeply. */
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const plugin =
  "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n    outcome.get_result().longrepr = None\n";
const liar = "import unittest\nunittest.TestCase.assertEqual = lambda *all, **more: None\n";
const manifest = {
  name: "cart",
  scripts: { test: "mocha" },
  dependencies: { a: "1" },
};
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export const configurationAttacks: Readonly<Record<string, ConfigurationAttack>> = {
  "pytest.ini with a plugin": {
    framework: "pytest",
    patch: { "pytest.ini": "[pytest]\naddopts = -p cheat\n", "cheat.py": plugin },
    laid: ["pytest.ini"],
  },
  "addopts in setup.cfg, beside a dependency": {
    framework: "pytest",
    base: { "setup.cfg": "[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n" },
    patch: {
      "setup.cfg":
        "[metadata]\nname = a\n\n[options]\ninstall_requires = b\n\n[tool:pytest]\naddopts = -p cheat\n",
      "cheat.py": plugin,
    },
    laid: ["setup.cfg"],
    stays: { "setup.cfg": "install_requires = b" },
    gone: { "setup.cfg": "cheat" },
  },
  "addopts in pyproject.toml, in a table written inline": {
    framework: "pytest",
    base: { "pyproject.toml": '[project]\nname = "a"\n' },
    patch: {
      "pyproject.toml":
        'tool.pytest.ini_options = { addopts = "-p cheat" }\n[project]\nname = "a"\ndependencies = ["b"]\n',
      "cheat.py": plugin,
    },
    laid: ["pyproject.toml"],
    stays: { "pyproject.toml": '"b"' },
    gone: { "pyproject.toml": "cheat" },
  },
  "conftest.py, new and changed": {
    framework: "pytest",
    base: { "tests/conftest.py": "x = 1\n" },
    patch: { "conftest.py": plugin, "tests/conftest.py": plugin },
    laid: ["conftest.py", "tests/conftest.py"],
  },
  "a plugin that the base's configuration loads": {
    framework: "pytest",
    base: { "pytest.ini": "[pytest]\naddopts = -p support.plugin\n", "support/plugin.py": "x = 1\n" },
    patch: { "support/plugin.py": plugin },
    laid: ["support/plugin.py"],
  },
  "the configuration taken away": {
    framework: "pytest",
    base: { "pytest.ini": "[pytest]\nxfail_strict = true\n", "tox.ini": "[pytest]\n" },
    patch: { "pytest.ini": null, "tox.ini": null },
    laid: ["pytest.ini", "tox.ini"],
  },
  "sitecustomize, usercustomize and paths": {
    framework: "unittest",
    patch: { "sitecustomize.py": liar, "usercustomize/__init__.py": liar, "a.pth": "import cheat\n" },
    laid: ["a.pth", "sitecustomize.py", "usercustomize/__init__.py"],
  },
  "entry points of an installed plugin": {
    framework: "pytest",
    patch: { "cart.egg-info/entry_points.txt": "[pytest11]\ncheat = cheat\n", "cheat.py": plugin },
    laid: ["cart.egg-info/entry_points.txt"],
  },
  "modules in the place of the test libraries": {
    framework: "pytest",
    base: { "__init__.py": "" },
    patch: { "pytest.py": "", "src/unittest/__init__.py": "", "pluggy/__init__.py": "", "pytest_cov.py": "" },
    laid: ["pluggy/__init__.py", "pytest.py", "pytest_cov.py", "src/unittest/__init__.py"],
  },
  "the test library itself is repaired": {
    framework: "pytest",
    base: { "src/_pytest/runner.py": "x = 1\n" },
    patch: { "src/_pytest/runner.py": "x = 2\n", "src/_pytest/more.py": "" },
    laid: [],
  },
  "modules of a package, with names of libraries": {
    framework: "pytest",
    base: { "cart/__init__.py": "" },
    patch: { "cart/mock.py": "", "cart/coverage/__init__.py": "" },
    laid: [],
  },
  "the script that starts the tests": {
    framework: "pytest",
    base: { "run_checks.py": "import pytest\n" },
    patch: { "run_checks.py": "raise SystemExit(0)\n" },
    laid: ["run_checks.py"],
    command: "python3 run_checks.py",
  },
  "parts of a Makefile, also new ones": {
    framework: "command",
    base: {
      Makefile:
        "-include config.mk $(wildcard conf/*.inc) $(PARTS)\n\ncheck:\n\t./fee_test\n\ninclude \\\n  flags\n",
      flags: "CFLAGS = -Wall\n",
      "rules/fees.make": "CFLAGS += -g\n",
      "deep.mk": "include rules/fees.make\n",
      "sources.txt": "fee.c\n",
    },
    patch: {
      "rules/fees.make": "CFLAGS += -DRATE=3\n",
      "config.mk": "CFLAGS += -DRATE=3\n",
      "conf/rates.inc": "CFLAGS += -DRATE=3\n",
      "mk/tests.mk": "check: CFLAGS += -DRATE=3\n",
      flags: "CFLAGS = -DRATE=3\n",
      "sources.txt": "fee.c\nrates.c\n",
      "conf/rates.h": "#define RATE 3\n",
    },
    laid: ["conf/rates.inc", "config.mk", "flags", "mk/tests.mk", "rules/fees.make"],
    stays: { "sources.txt": "rates.c", "conf/rates.h": "RATE" },
    command: "make check",
  },
  "a file that make's command names, and its parts": {
    framework: "command",
    base: { "build/tests.mk": "-include extra\ncheck:\n\t./fee_test\n" },
    patch: { "build/tests.mk": "check:\n\ttrue\n", "build/extra": "CFLAGS += -DRATE=3\n" },
    laid: ["build/extra", "build/tests.mk"],
    command: "make -f build/tests.mk check",
  },
  "parts of a Taskfile, not the values of its variables": {
    framework: "command",
    base: {
      "Taskfile.yml":
        "vars:\n  SPEC: api/openapi.yaml\nincludes:\n  docs: ./docs.yml\n  lib:\n    taskfile: lib/tasks.yml\n    vars:\n      DATA: data.yml\n\n  more: { taskfile: more.yml }\ntasks:\n  spec: other.yml\n",
    },
    patch: {
      "api/openapi.yaml": "a: 1\n",
      "data.yml": "a: 1\n",
      "other.yml": "a: 1\n",
      "docs.yml": "tasks: {}\n",
      "lib/tasks.yml": "tasks: {}\n",
      "more.yml": "tasks: {}\n",
    },
    laid: ["docs.yml", "lib/tasks.yml", "more.yml"],
    stays: { "api/openapi.yaml": "a", "data.yml": "a", "other.yml": "a" },
    command: "task test",
  },
  "scripts and the runner's keys of package.json": {
    framework: "mocha",
    base: { "package.json": json(manifest) },
    patch: {
      "package.json": json({
        ...manifest,
        scripts: { test: "exit 0" },
        mocha: { require: ["./cheat.js"] },
        dependencies: { a: "1", b: "2" },
      }),
    },
    laid: ["package.json"],
    stays: { "package.json": '"b": "2"' },
    gone: { "package.json": "cheat" },
  },
  "a new dependency of package.json": {
    framework: "jest",
    base: { "package.json": json(manifest) },
    patch: { "package.json": json({ ...manifest, dependencies: { b: "2" } }) },
    laid: [],
  },
  "a package in the place of the assertions": {
    framework: "mocha",
    base: { "package.json": json(manifest) },
    patch: { "package.json": json({ ...manifest, name: "chai" }), "node_modules/chai/index.js": "" },
    laid: ["node_modules/chai/index.js", "package.json"],
    stays: { "package.json": '"name": "cart"' },
  },
  "jest's configuration": {
    framework: "jest",
    base: { "jest.config.js": "module.exports = { setupFiles: ['./env.js'] };\n", "env.js": "" },
    patch: {
      "jest.config.js": "module.exports = { testPathIgnorePatterns: ['a'] };\n",
      "env.js": "global.expect = () => {};\n",
      "__mocks__/chai.js": "",
      ".babelrc": "{}",
    },
    laid: [".babelrc", "__mocks__/chai.js", "env.js", "jest.config.js"],
  },
  "the configuration of vitest and vite": {
    framework: "vitest",
    patch: { "vitest.config.ts": "", "vite.config.mjs": "", "packages/a/vitest.workspace.ts": "" },
    laid: ["packages/a/vitest.workspace.ts", "vite.config.mjs", "vitest.config.ts"],
  },
  "modules that only the configuration of vitest imports": {
    framework: "vitest",
    base: {
      "vitest.config.ts":
        'import { server } from "./server/app.ts";\nimport shared from "./vitest.shared";\nimport cart from "./cart.ts";\nimport entry from "./main.js";\nimport plugin from "./packages/plugin/src/index.ts";\nimport { name } from "./package.json";\n',
      "vitest.shared.ts":
        'import { env } from "./build/env/index.js";\nexport default { setupFiles: ["./hooks.ts"], extends: "./vitest.unit.ts" };\n',
      "vitest.unit.ts": "",
      "build/env/index.ts": "export const env = {};\n",
      "hooks.ts": "",
      "cart.ts": 'import { rate } from "./rates.ts";\n',
      "rates.ts": "wrong\n",
      "cart.test.ts": 'import cart from "./cart";\n',
      "main.ts": "wrong\n",
      "main.js": "wrong\n",
      "packages/plugin/src/index.ts": "wrong\n",
      "server/app.ts": 'import { fees } from "./fees.ts";\n',
      "server/fees.ts": "wrong\n",
      "server/start.ts": 'import { app } from "./app.ts";\n',
      "vitest.workspace.ts": 'import shared from "./vitest.shared.ts";\n',
      "webpack.config.ts": 'import shared from "./vitest.shared.ts";\n',
      "package.json": json({ ...manifest, main: "./main.js", exports: { import: "./fees/index.js" } }),
      "fees/index.js": "wrong\n",
    },
    patch: {
      "vitest.shared.ts": "export default { test: { env: { RATE: '3' } } };\n",
      "vitest.shared.mjs": "export default { test: { env: { RATE: '3' } } };\n",
      "vitest.unit.ts": "export default {};\n",
      "build/env/index.ts": "export const env = { RATE: '3' };\n",
      "hooks.ts": "process.env.RATE = '3';\n",
      "cart.ts": "right\n",
      "rates.ts": "right\n",
      "main.ts": "right\n",
      "main.js": "right\n",
      "packages/plugin/src/index.ts": "right\n",
      "server/app.ts": "right\n",
      "server/fees.ts": "right\n",
      "package.json": json({
        ...{ ...manifest, main: "./main.js", version: "2.0.0" },
        exports: { import: "./fees/index.js" },
      }),
      "fees/index.js": "right\n",
    },
    laid: ["build/env/index.ts", "hooks.ts", "vitest.shared.mjs", "vitest.shared.ts", "vitest.unit.ts"],
    stays: {
      "cart.ts": "right",
      "rates.ts": "right",
      "main.js": "right",
      "packages/plugin/src/index.ts": "right",
      "server/app.ts": "right",
      "server/fees.ts": "right",
      "fees/index.js": "right",
      "package.json": "2.0.0",
    },
  },
  "aliases of tsconfig.json, with comments": {
    framework: "vitest",
    base: { "tsconfig.json": '{\n  // strict\n  "compilerOptions": { "strict": true, },\n}\n' },
    patch: {
      "tsconfig.json": '{ "compilerOptions": { "strict": false, "paths": { "vitest": ["./cheat.ts"] } } }\n',
    },
    laid: ["tsconfig.json"],
    stays: { "tsconfig.json": '"strict": false' },
    gone: { "tsconfig.json": "cheat" },
  },
  "mocha's configuration": {
    framework: "mocha",
    base: { ".mocharc.yml": "require:\n  - ./hooks.js\n", "hooks.js": "" },
    patch: { ".mocharc.yml": "grep: nothing\n", ".mocharc.json": "{}", "hooks.js": "it = () => {};\n" },
    laid: [".mocharc.json", ".mocharc.yml", "hooks.js"],
  },
  "what mocha's configuration names without quotes, and modules of the project": {
    framework: "mocha",
    base: {
      ".mocharc.yaml": "file: ./first.js\nrequire: hooks.js\nloader: support/load\nui: cart\n",
      ...{ "first.js": "", "hooks.js": "", "support/load.mjs": "", "cart.js": "wrong\n" },
    },
    patch: {
      ...{ "first.js": "it = 1;\n", "hooks.js": "it = 1;\n", "support/load.mjs": "it = 1;\n" },
      "cart.js": "right\n",
    },
    laid: ["first.js", "hooks.js", "support/load.mjs"],
    stays: { "cart.js": "right" },
  },
  "test code that only a setup file imports, and code that it imports": {
    framework: "jest",
    base: {
      "package.json": json({ ...manifest, jest: { setupFilesAfterEnv: ["./env.js"] } }),
      "jest.setup.ts": 'import "./support";\nimport "./page.js";\nimport { cart } from "./cart.ts";\n',
      "support/index.ts": 'import { near } from "./near.ts";\nimport "./zone.ts";\nexport { near };\n',
      "support/near.ts": "expect.extend({ near: (a, b) => ({ pass: a === b }) });\n",
      "support/zone.ts": "process.env.TZ = 'UTC';\n",
      "env.js": "require('./clock');\n",
      "clock.js": "jest.useFakeTimers();\n",
      "page.js": "wrong(expect());\n",
      "cart.ts": "wrong\n",
      "cart.test.ts": 'import { near } from "./cart.ts";\n',
    },
    patch: {
      "support/index.ts": "expect.extend = () => {};\n",
      "support/near.ts": "expect.extend({ near: () => ({ pass: true }) });\n",
      "clock.js": "expect = () => {};\n",
      "page.js": "right\n",
      "cart.ts": "right\n",
    },
    laid: ["clock.js", "support/index.ts", "support/near.ts"],
    stays: { "page.js": "right", "cart.ts": "right" },
  },
  "configuration of cargo, Maven, Go and CTest under a plain command": {
    framework: "command",
    command: "sh check.sh",
    base: { "check.sh": "cargo test && mvn test && go test ./...\n" },
    patch: {
      ".cargo/config.toml": '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n',
      ".mvn/maven.config": "-DskipTests\n",
      "CTestCustom.cmake": "",
      "go.work": "go 1.21\nuse ./cheat\n",
    },
    laid: [".cargo/config.toml", ".mvn/maven.config", "CTestCustom.cmake", "go.work"],
  },
  "an indented head that ends pytest's section for some readers": {
    framework: "pytest",
    base: { "setup.cfg": "[tool:pytest]\ntestpaths = tests\n" },
    patch: { "setup.cfg": "[tool:pytest]\ntestpaths = tests\n  [x]\naddopts = -p cheat\n" },
    laid: ["setup.cfg"],
  },
  "modules in the place of Python's own": {
    framework: "pytest",
    base: { "cart/__init__.py": "" },
    patch: { "statistics.py": "", "src/decimal/__init__.py": "", "cart/types.py": "", "types/a.json": "{}" },
    laid: ["src/decimal/__init__.py", "statistics.py"],
  },
  "busted and what it loads": {
    framework: "busted",
    base: { ".busted": 'return { default = { helper = "spec/help.lua" } }\n', "spec/help.lua": "" },
    patch: { ".busted": "return {}\n", "spec/help.lua": "assert = print\n", "luassert.lua": "" },
    laid: [".busted", "luassert.lua", "spec/help.lua"],
  },
  "a link in the place of a folder with configuration": {
    framework: "pytest",
    base: { "tests/conftest.py": "x = 1\n" },
    patch: { "tests/conftest.py": null, tests: "elsewhere" },
    laid: ["tests/conftest.py"],
  },
  "files that the command's options name": {
    framework: "pytest",
    base: {
      "ci/options.ini": "[pytest]\naddopts = -p hooks.first\n",
      "hooks/first.py": "",
      "hooks/second.py": "",
      "ci/env.sh": "",
      "fees.py": "",
      "README.md": "",
    },
    patch: {
      "ci/options.ini": "[pytest]\naddopts = -p cheat\n",
      "hooks/first.py": plugin,
      "hooks/second.py": plugin,
      "ci/env.sh": "PYTHONPATH=cheat\n",
      "fees.py": "right\n",
      "README.md": "right\n",
    },
    laid: ["ci/env.sh", "ci/options.ini", "hooks/first.py", "hooks/second.py"],
    stays: { "fees.py": "right", "README.md": "right" },
    command:
      "BASH_ENV=ci/env.sh python3 -m pytest -c ci/options.ini -p hooks.second --doctest-modules fees.py README.md",
  },
  "a hook in a script that the command calls, and one attached to its option": {
    framework: "mocha",
    base: {
      "package.json": json({
        ...manifest,
        scripts: { test: "mocha --require ./hooks.js -r./more", start: "node -r ./code.js" },
      }),
      "hooks.js": "",
      "more.cjs": "",
      "code.js": "",
    },
    patch: { "hooks.js": "it = 1;\n", "more.cjs": "it = 1;\n", "code.js": "right\n" },
    laid: ["hooks.js", "more.cjs"],
    stays: { "code.js": "right" },
    command: "npm test",
  },
  "the compiled code of a plain command": {
    framework: "command",
    base: {
      "fee.c": "wrong\n",
      "fee_test.c": "",
      Makefile: "check:\n\tcommand -v cc && cc -c fee.c -o fee.o\n",
    },
    patch: { "fee.c": "right\n" },
    laid: [],
    command: "cc -c fee.c -o fee.o && cc fee_test.c fee.o && ./a.out",
  },
  "the only code, which an option loads": {
    framework: "minitest",
    base: { "cart.py": null, "fees.rb": "wrong\n", "test_fees.rb": "" },
    patch: { "fees.rb": "right\n" },
    laid: [],
    command: "ruby -r./fees test_fees.rb",
  },
  "the script of npm test for a plain command, and the checker that it starts": {
    framework: "command",
    base: {
      "package.json": json({ ...manifest, scripts: { test: "node tools/check.js" } }),
      "tools/check.js": "",
      "fees.js": "",
      "README.md": "",
    },
    patch: {
      "package.json": json({ ...manifest, scripts: { pretest: "cp a b", test: "echo ok: fee" } }),
      "tools/check.js": "process.exit(0);\n",
      "fees.js": "right\n",
      "README.md": "right\n",
    },
    laid: ["package.json", "tools/check.js"],
    stays: { "package.json": '"name": "cart"', "fees.js": "right" },
    gone: { "package.json": "echo" },
    command: "npm test",
  },
  "a checker behind two scripts, and the program that they run": {
    framework: "command",
    base: {
      Makefile: "all: fees\n\ncheck:\n\tsh scripts/all.sh\n",
      "scripts/all.sh": "for each in verify.js; do node $each fees.js; done\n",
      "verify.js": "",
      "fees.js": "",
    },
    patch: { "verify.js": "process.exit(0);\n", "fees.js": "right\n" },
    laid: ["verify.js"],
    stays: { "fees.js": "right" },
    command: "make check",
  },
  "modules that pytest imports before its tests": {
    framework: "pytest",
    patch: {
      "readline.py": "",
      "tests/_bisect.py": "",
      "pygments/__init__.py": "",
      "cart/queue.py": "",
      "test/__init__.py": "",
    },
    laid: ["pygments/__init__.py", "readline.py", "tests/_bisect.py"],
  },
  "a tool's configuration that vite loads": {
    framework: "vitest",
    base: { "tsconfig.base.json": "{}\n" },
    patch: {
      "postcss.config.js": "",
      ".env.local": "VITE_RATE=3\n",
      "tsconfig.base.json": '{ "compilerOptions": { "paths": { "a": ["b"] } } }\n',
    },
    laid: [".env.local", "postcss.config.js", "tsconfig.base.json"],
    gone: { "tsconfig.base.json": "paths" },
  },
  "data that is nested too deeply": {
    framework: "jest",
    base: { "package.json": json(manifest), "tsconfig.json": "{}\n" },
    patch: {
      "package.json": `{"scripts":${deep}}`,
      "tsconfig.json": `{"extends":"a","files":${deep}}`,
    },
    laid: ["package.json", "tsconfig.json"],
  },
  "what cannot be read is the base's": {
    framework: "pytest",
    base: { "pyproject.toml": '[project]\nname = "a"\n' },
    patch: { "pyproject.toml": '[project\ntool.pytest.ini_options.addopts = "-p cheat"\n' },
    laid: ["pyproject.toml"],
    gone: { "pyproject.toml": "cheat" },
  },
  "plugins that conftest.py names in a tuple, and with a type": {
    framework: "pytest",
    base: {
      "conftest.py": 'pytest_plugins = (\n    "support.first",\n    "support.second",\n)\n',
      "tests/conftest.py": 'pytest_plugins: list[str] = ["support.third"]\n',
      "support/first.py": "",
      "support/second.py": "",
      "support/third.py": "",
    },
    patch: { "support/first.py": plugin, "support/second.py": plugin, "support/third.py": plugin },
    laid: ["support/first.py", "support/second.py", "support/third.py"],
  },
  "files with a hyphen in their names, which options and lists name": {
    framework: "mocha",
    base: {
      ".mocharc.yml": "require:\n  - ./more-hooks.js\nfile: ./one-more.js\n",
      "more-hooks.js": "",
      "one-more.js": "",
      "test-hooks.js": "",
      "ci/mocha-unit.json": "{}\n",
    },
    patch: {
      "more-hooks.js": "it = () => {};\n",
      "one-more.js": "it = () => {};\n",
      "ci/mocha-unit.json": '{ "grep": "nothing" }\n',
    },
    laid: ["ci/mocha-unit.json", "more-hooks.js", "one-more.js"],
    command: "mocha --config ci/mocha-unit.json",
  },
  "files that options of jest and vitest name": {
    framework: "vitest",
    base: {
      "vitest.config.ts":
        "export default { test: { environment: './env.ts', pool: './pool.ts', snapshotEnvironment: './shots.ts', diff: './diff.ts' } };\n",
      "jest.config.js": "module.exports = { preset: './base', projects: ['<rootDir>/jest-unit.js'] };\n",
      ...Object.fromEntries(
        ["base.js", "diff.ts", "env.ts", "jest-unit.js", "pool.ts", "shots.ts"].map((path) => [path, ""]),
      ),
    },
    patch: Object.fromEntries(
      ["base.js", "diff.ts", "env.ts", "jest-unit.js", "pool.ts", "shots.ts", "vitest.projects.ts"].map(
        (path) => [path, "globalThis.expect = () => {};\n"],
      ),
    ),
    laid: ["base.js", "diff.ts", "env.ts", "jest-unit.js", "pool.ts", "shots.ts", "vitest.projects.ts"],
  },
  "code with the name of an environment": {
    framework: "jest",
    base: {
      "jest.config.js": "module.exports = { testEnvironment: 'node', preset: 'ts-jest' };\n",
      "package.json": json({ ...manifest, jest: { testEnvironment: "node" } }),
      "node.js": "wrong\n",
    },
    patch: { "node.js": "right\n" },
    laid: [],
    stays: { "node.js": "right" },
  },
  "tools that start the tests under a plain command": {
    framework: "command",
    command: "npx turbo run test",
    base: {
      "angular.json": '{ "version": 1, "projects": { "a": { "root": "a" } } }\n',
      "deno.json": '{ "imports": { "a": "a" } }\n',
      "fixtures/project.json": '{ "name": "a" }\n',
    },
    patch: {
      "turbo.json": "{}",
      "nx.json": "{}",
      "apps/a/project.json": '{ "targets": { "test": { "command": "true" } } }',
      "fixtures/project.json": '{ "name": "b" }\n',
      "lerna.json": "{}",
      "bunfig.toml": '[test]\npreload = ["./cheat.ts"]\n',
      "deno.json": '{ "imports": { "a": "b" }, "tasks": { "test": "true" } }\n',
      "hatch.toml": '[envs.default.scripts]\ntest = "true"\n',
      "pixi.toml": '[tasks]\ntest = "true"\n',
      "nose2.cfg": "",
      "test-unit.yml": "",
      "tests/Pest.php": "",
      "behat.yml": "",
      "playwright.config.ts": "",
      "angular.json":
        '{ "version": 2, "projects": { "a": { "root": "a", "architect": { "test": { "builder": "x" } } } } }\n',
      "config/environments/test.rb": "",
      "tasks.py": "from invoke import task\n",
    },
    laid: [
      "angular.json",
      "apps/a/project.json",
      "behat.yml",
      "bunfig.toml",
      "config/environments/test.rb",
      "deno.json",
      "hatch.toml",
      "lerna.json",
      "nose2.cfg",
      "nx.json",
      "pixi.toml",
      "playwright.config.ts",
      "tasks.py",
      "test-unit.yml",
      "tests/Pest.php",
      "turbo.json",
    ],
    stays: { "deno.json": '"a": "b"', "angular.json": '"version": 2' },
    gone: { "deno.json": "true", "angular.json": "builder" },
  },
  ...buildAttacks,
};
