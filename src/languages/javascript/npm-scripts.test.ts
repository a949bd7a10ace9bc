import { describe, expect, it } from "vitest";
import type { ProjectView } from "../contract.ts";
import { printCall } from "./javascript-commands.ts";
import jest from "./jest.ts";
import mocha from "./mocha.ts";
import nodeTest from "./node-test.ts";
import { findRunnerCalls } from "./npm-scripts.ts";
import vitest from "./vitest.ts";

function viewTexts(texts: Readonly<Record<string, string>>): ProjectView {
  return { files: Object.keys(texts), read: (path) => texts[path], exists: (path) => path in texts };
}

function viewScripts(scripts: Record<string, string>, texts: Record<string, string> = {}): ProjectView {
  return viewTexts({ "package.json": JSON.stringify({ name: "own", scripts }), ...texts });
}

function read(scripts: Record<string, string>, command = "npm test"): string[] {
  return findRunnerCalls(viewScripts(scripts), "", command).map(printCall);
}

describe("the test runner that a script calls", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["alone", { test: "mocha --timeout 5000 'test/**/*.js'" }, ["npx mocha --timeout 5000 'test/**/*.js'"]],
    ["after checks", { test: "eslint . && npm run lint && jest", lint: "standard" }, ["npx jest"]],
    ["after a build", { test: "npm run build && mocha", build: "tsc -p ." }, ["npm run build && npx mocha"]],
    ["after its pre-script", { pretest: "rollup -c", test: "jest" }, ["rollup -c && npx jest"]],
    [
      "without a check of its README",
      { pretest: "npm run readme", readme: "evalmd *.md", test: "jest" },
      ["npx jest"],
    ],
    [
      "after a build in a language beyond ours",
      { test: "npm run build && mocha", build: "cp $(ls src) dist" },
      ["npm run build && npx mocha"],
    ],
    [
      "in an environment",
      { test: "cross-env NODE_ENV=test TZ=UTC jest -i" },
      ["NODE_ENV=test TZ=UTC npx jest -i"],
    ],
    ["under a coverage tool", { test: "c8 --reporter=lcov --all node --test test/" }, ["node --test test/"]],
    [
      "under nyc with npm between",
      { test: "nyc npm run unit", unit: "_mocha -R dot" },
      ["npx _mocha -R dot"],
    ],
    ["by npx", { test: "npx --no-install vitest run" }, ["npx vitest run"]],
    ["by another manager's script", { test: "yarn unit --bail", unit: "jest" }, ["npx jest --bail"]],
    ["by another manager's program", { test: "pnpm vitest run" }, ["npx vitest run"]],
    [
      "by its file",
      { test: "node --experimental-vm-modules node_modules/jest/bin/jest.js src" },
      ["node --experimental-vm-modules node_modules/jest/bin/jest.js src"],
    ],
    ["through a script around it", { test: "node bin/wrap.js mocha a.js" }, ["node bin/wrap.js mocha a.js"]],
    ["with its output handed on", { test: "node --test 2>&1 | tap-spec" }, ["node --test"]],
    [
      "by run-s and a pattern",
      { test: "run-s test:*", "test:a": "mocha a", "test:b": "mocha b" },
      ["npx mocha a b"],
    ],
    ["with TAP for others to print", { test: "tape 'test/*.js' | tap-spec" }, ["npx tape 'test/*.js'"]],
    ["between checks", { test: "xo && c8 ava && tsd" }, ["npx ava"]],
    ["by a loader", { test: "uvu -r esm tests '\\.test\\.js$'" }, ["npx uvu -r esm tests '\\.test\\.js$'"]],
    ["in a folder", { test: "cd packages/a && jest" }, ["npx jest"]],
    ["nowhere", { test: "echo none && exit 1" }, []],
    ["in a script that calls itself", { test: "npm test && mocha" }, ["npx mocha"]],
  ])("%s", (_, scripts, expected) => {
    expect(read(scripts)).toEqual(expected);
  });

  it("is the one that a package of shared scripts brings, where the project asks for none", () => {
    const bins = { "node_modules/.bin/ts-scripts": "", "node_modules/.bin/jest": "" };
    const view = viewScripts({ test: "ts-scripts test && size-limit" }, bins);
    const [call, ...more] = findRunnerCalls(view, "", "npm test");
    expect(more).toEqual([]);
    expect(call).toMatchObject({ runner: "jest", isInside: true, args: [] });
    expect(call && printCall(call)).toBe("npx ts-scripts test");
    expect(findRunnerCalls(view, "", "npx ts-scripts lint")).toEqual([]);
    const own = { scripts: { test: "ts-scripts test" }, devDependencies: { mocha: "1" } };
    expect(
      findRunnerCalls(viewTexts({ "package.json": JSON.stringify(own), ...bins }), "", "npm test"),
    ).toEqual([]);
  });

  it.each([
    "npm test -w @own/inner",
    "pnpm --filter @own/inner test",
    "pnpm -F ./packages/inner run test",
    "yarn workspace @own/inner test",
  ])("is found in a workspace member: %s", (script) => {
    const inner = { name: "@own/inner", scripts: { test: "vitest" } };
    const project = viewScripts({ test: script }, { "packages/inner/package.json": JSON.stringify(inner) });
    const [call] = findRunnerCalls(project, "", "npm test");
    expect(call).toMatchObject({ runner: "vitest", directory: "packages/inner" });
    expect(findRunnerCalls(project, "packages/inner", "pnpm --filter '@own/*' test")).toEqual([]);
  });

  it("is found in a workspace's root", () => {
    const project = viewScripts({ test: "jest" }, { "packages/inner/package.json": "{}" });
    const [call] = findRunnerCalls(project, "packages/inner", "pnpm -w test");
    expect(call).toMatchObject({ runner: "jest", directory: "" });
  });

  it("is node where the script's file imports node:test, itself or by another file", () => {
    const texts = {
      "test/index.js": 'import "./one.js";',
      "test/one.js": 'import test from "node:test";',
      "tool.js": "console.log(1);",
    };
    const project = viewScripts({ test: "node test/index.js", tool: "node tool.js" }, texts);
    expect(findRunnerCalls(project, "", "npm test").map(printCall)).toEqual(["node test/index.js"]);
    expect(findRunnerCalls(project, "", "npm run tool")).toEqual([]);
  });
});

describe("detection", () => {
  it("leaves a build out where the tests need nothing that is built, and puts it first where they do", () => {
    const scripts = { test: "npm run build && mocha", build: "tsc" };
    const source = { "src/a.js": "" };
    const plain = viewScripts(scripts, { ...source, "test/a.js": 'require("../src/a")' });
    const built = viewScripts(scripts, { ...source, "test/a.js": 'require("../dist/a.js")' });
    expect(mocha.detect(plain)[0]?.command).toBe("npx mocha");
    expect(mocha.detect(built)[0]?.command).toBe("npm run build && npx mocha");
  });

  it("prefers the test script, then others that test, then a sign of the framework", () => {
    const project = viewScripts(
      { "test:unit": "jest unit", test: "jest", "test:watch": "jest --watch" },
      { "jest.config.js": "" },
    );
    expect(jest.detect(project).map((one) => one.command)).toEqual(["npx jest", "npx jest unit"]);
    expect(jest.detect(viewScripts({}, { "jest.config.js": "" }))).toMatchObject([
      { command: "npx jest", foundBy: "jest.config.js" },
    ]);
  });

  it("joins calls that differ in their files only", () => {
    const project = viewScripts({ test: "node --test a.js && node --test b.js" });
    expect(nodeTest.detect(project)[0]?.command).toBe("node --test a.js b.js");
  });

  it("does not take another framework's command", () => {
    const project = viewScripts({ test: "vitest" });
    expect(
      [jest, mocha, nodeTest].flatMap((framework) => framework.recognise("npm test", project) ?? []),
    ).toEqual([]);
    expect(vitest.recognise("npm test", project)).toMatchObject({ command: "npm test", likelihood: 1 });
  });

  it("calls a script as a whole that it cannot take apart", () => {
    const project = viewScripts({ test: "mocha $(find test -name '*.js')" });
    const [command] = mocha.detect(project);
    expect(command?.command).toBe("npm test");
    const invocation =
      command &&
      mocha.invoke({
        command,
        selection: { kind: "all" },
        coverage: false,
        testTimeoutMs: 1000,
        stopAtFirstFailure: false,
        paths: { root: "/repository", runtime: "/runtime", report: "/report", channel: "/channel" },
        project,
      });
    expect(invocation?.run).toMatch(
      /npm test -- --require \/runtime\/javascript\/take-key\.cjs --reporter \/runtime\/javascript\/mocha-reporter\.cjs/,
    );
  });
});

describe("the runner of a file that Node runs", () => {
  it.each([
    ["import test from 'tape';", "tape", "node -r esm test/a.js"],
    ["const t = require('tap');", "tap", "npx tap test/a.js"],
    ["const { suite } = require('uvu');", "uvu", "node -r esm test/a.js"],
    ["import { test } from 'node:test';", "node", "node -r esm test/a.js"],
    ["const mocha = new Mocha({ ui: 'bdd' });", "mocha", "node -r esm test/a.js"],
    ["require('assert').equal(1, 1);", "node", "node -r esm test/a.js"],
  ])("%s", (text, runner, command) => {
    const view = viewScripts({ test: "node -r esm test/a.js" }, { "test/a.js": text });
    const [call] = findRunnerCalls(view, "", "npm test");
    expect(call?.runner).toBe(runner);
    expect(call && printCall(call)).toBe(command);
  });

  it("is none where the file is no test", () => {
    const view = viewScripts({ test: "node build.js" }, { "build.js": "require('assert');" });
    expect(findRunnerCalls(view, "", "npm test")).toEqual([]);
  });
});
