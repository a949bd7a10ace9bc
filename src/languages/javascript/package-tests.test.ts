import { expect, test } from "vitest";
import type { ProjectView } from "../contract.ts";
import workspaces from "../discovery/workspaces.ts";
import mocha from "./mocha.ts";
import nodeTest from "./node-test.ts";
import vitest from "./vitest.ts";

function view(texts: Record<string, string>): ProjectView {
  return { files: Object.keys(texts), read: (path) => texts[path], exists: (path) => path in texts };
}

const manifest = (content: object): Record<string, string> => ({ "package.json": JSON.stringify(content) });
const usesMocha = { devDependencies: { mocha: "11" } };

test("follows a script into a Makefile and a shell script", () => {
  const project = view({
    ...manifest({ scripts: { test: "npm run lint && make -s test", lint: "eslint ." } }),
    Makefile: "NODE = node\ntest: build\n\t@./bin/unit.sh --exit\nbuild:\n\t$(NODE) build.js\n",
    "bin/unit.sh": '#!/bin/sh\nNODE_ENV=test exec mocha test/unit "$@"\n',
  });
  expect(mocha.detect(project)[0]).toMatchObject({
    command: "NODE_ENV=test npx mocha test/unit",
    foundBy: "package.json scripts.test",
  });
});

test("takes what a workflow runs where the scripts say nothing", () => {
  const project = view({
    ...manifest({ scripts: { test: "echo none && exit 1" }, devDependencies: { vitest: "3" } }),
    ".github/workflows/ci.yml":
      "jobs:\n  test:\n    steps:\n      - run: npx vitest run --project unit\n        working-directory: packages/a\n",
  });
  expect(vitest.detect(project)[0]).toMatchObject({
    directory: "packages/a",
    command: "npx vitest run --project unit",
    foundBy: ".github/workflows/ci.yml, job test",
  });
});

test("takes a command that stands in a build script before the plain one", () => {
  const project = view({
    ...manifest({ scripts: { test: "npx jake test" }, ...usesMocha }),
    "jakefile.js": "task('test', () => exec('./node_modules/.bin/mocha -u tdd'));\n",
    "test/a.js": "",
  });
  expect(mocha.detect(project).map((one) => one.command)).toEqual([
    "./node_modules/.bin/mocha -u tdd",
    "npm test",
    "npx mocha",
  ]);
});

test("takes what Grunt's plug-in runs", () => {
  const project = view({
    ...manifest({ scripts: { test: "grunt test" }, ...usesMocha }),
    "Gruntfile.js":
      "grunt.initConfig({ mochaTest: { test: { options: { timeout: 9 }, src: ['test/unit/**/*.js'] } } });\n",
    "test/unit/a.js": "",
  });
  expect(mocha.detect(project)[0]?.command).toBe("npx mocha --exit 'test/unit/**/*.js'");
});

test.each([
  [
    ["lib/a/__tests__/a.test.js", "lib/a/__tests__/helper.js", "node_modules/x/x.test.js"],
    "npx mocha 'lib/**/*.test.js'",
  ],
  [["a.spec.js"], "npx mocha '*.spec.js'"],
  [["src/__tests__/a.js", "tests/b.js"], "npx mocha 'src/__tests__/**/*.js' 'tests/**/*.js'"],
  [["test/a.js", "lib/a.test.js"], undefined],
])("says where tests are that mocha would not find: %j", (files, expected) => {
  const project = view({ ...manifest(usesMocha), ...Object.fromEntries(files.map((file) => [file, ""])) });
  // A folder's own name in a pattern comes from its first part.
  const found = mocha
    .detect(project)
    .find((one) => one.foundBy === "the folders of the package's test files");
  expect(found?.command).toBe(expected);
});

test("takes no command of a document for another runner's", () => {
  const project = view({ ...manifest({}), "README.md": "Run `npx mocha` or `node --test`.\n" });
  expect(nodeTest.detect(project).map((one) => one.command)).toEqual(["node --test"]);
});

const members = {
  "packages/a/package.json": JSON.stringify({ name: "a", main: "dist/a.js", scripts: { test: "mocha" } }),
  "packages/a/test/a.js": "require('a');",
  "packages/b/package.json": JSON.stringify({ name: "b", scripts: { test: "vitest run" } }),
  "docs/package.json": JSON.stringify({ name: "docs", scripts: { test: "jest" } }),
};
const parts = "(cd packages/a && npx mocha); (cd packages/b && npx vitest run)";

test.each([
  [{ workspaces: ["packages/*", "docs"], scripts: { test: "npm test -ws" } }, {}, [parts]],
  [{ workspaces: { packages: ["packages/**"] }, scripts: { test: "lerna run test" } }, {}, [parts]],
  [
    { scripts: { test: "turbo run test" } },
    { "pnpm-workspace.yaml": "packages:\n  - packages/*\n" },
    [parts],
  ],
  [{ scripts: { test: "pnpm -r test" } }, { "lerna.json": '{ "packages": ["packages/*"] }' }, [parts]],
  [
    { workspaces: ["packages/*"], scripts: { test: "nx run-many -t test", build: "tsc -b" } },
    {},
    [`npm run build && ${parts}`, parts],
  ],
  [{ workspaces: ["packages/*"], scripts: { test: "vitest run" } }, {}, []],
  [{ scripts: { test: "npm test -ws" } }, {}, []],
])("a root with %j runs its packages", (root, more, expected) => {
  const project = view({ ...manifest(root), ...members, ...more });
  expect(workspaces.detect(project).map((one) => one.command)).toEqual(expected);
});
