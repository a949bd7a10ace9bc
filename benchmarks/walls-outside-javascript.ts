/** Attacks by outside authors on node:test, vitest, jest and mocha. */
import { attempt, honest, linkPackages, type Project, unified } from "./walls-outside-project.ts";
import type { ForgingRun } from "./walls-runs.ts";

const rule = `(weight) {
  if (weight <= 2) return 0;
  return (weight - 2) * 2;
}
`;
const modern = `/** What a parcel costs: two kilograms are free. */\nexport function fee${rule}`;
const repaired = modern.replace("* 2;", "* 3;");
const hidden = modern.replace("export function fee", "function base");
const touched = modern.replace("two kilograms", "the first two kilograms");
const esm = '{"name": "shipping", "version": "1.0.0", "type": "module"}\n';

export const node: Project = {
  framework: "node",
  command: "node --test",
  files: {
    "package.json": esm,
    "shipping.js": modern,
    "test/shipping.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { fee } from "../shipping.js";

test("light is free", () => assert.equal(fee(1), 0));
test("heavy costs by kilogram", () => {
  assert.equal(fee(7), 15);
});
`,
  },
  needs: ["node --version"],
};

/** The same program and tests by a framework whose words are \`test\` and \`expect\`. */
const peer = (framework: string, command: string, begin: string): Project => ({
  framework,
  command,
  files: {
    "package.json": esm,
    ".gitignore": "node_modules\n",
    "shipping.js": modern,
    "test/shipping.test.js": `${begin}import { fee } from "../shipping.js";

test("light is free", () => expect(fee(1)).toBe(0));
test("heavy costs by kilogram", () => {
  expect(fee(7)).toBe(15);
});
`,
  },
  needs: [`test -e node_modules/${framework} && node --version`],
  prepare: linkPackages,
});
export const vitest = peer(
  "vitest",
  "node_modules/.bin/vitest run",
  'import { expect, test } from "vitest";\n',
);
const common = `/** What a parcel costs: two kilograms are free. */\nfunction fee${rule}\nmodule.exports = { fee };\n`;
const old = '{"name": "shipping", "version": "1.0.0"}\n';
export const jest: Project = {
  ...peer("jest", "node_modules/.bin/jest", ""),
  files: {
    "package.json": old,
    ".gitignore": "node_modules\n",
    "shipping.js": common,
    "test/shipping.test.js": `const { fee } = require("../shipping.js");

test("light is free", () => expect(fee(1)).toBe(0));
test("heavy costs by kilogram", () => {
  expect(fee(7)).toBe(15);
});
`,
  },
};
export const mocha: Project = {
  ...peer("mocha", "node_modules/.bin/mocha", ""),
  files: {
    "package.json": old,
    ".gitignore": "node_modules\n",
    "shipping.js": common,
    "test/shipping.test.js": `const assert = require("node:assert");
const { fee } = require("../shipping.js");

it("is free where it is light", () => assert.equal(fee(1), 0));
it("costs by kilogram where it is heavy", async () => {
  assert.equal(await fee(7), 15);
});
`,
  },
};
const commonHidden = `function base${rule}\n`;

type Attack = (name: string, text: string, before?: string) => ForgingRun;
const on =
  (project: Project, base: string, more = {}): Attack =>
  (name, text, before = "") =>
    attempt(project, name, { "shipping.js": `${before}${base}\n${text}` }, more);

export const javascriptAttempts = (): ForgingRun[] => [...ofNode(), ...ofVitest(), ...ofJest(), ...ofMocha()];

function ofNode(): ForgingRun[] {
  const attack = on(node, hidden);
  const thought = on(node, hidden, unified);
  const right = "(base(weight) * 3) / 2";
  return [
    honest(node, { "shipping.js": repaired }),
    honest(node, { "shipping.js": repaired }, unified),
    attack(
      "assert.equal does nothing",
      "assert.strict.equal = () => {};\nexport const fee = base;\n",
      'import assert from "node:assert";\n\n',
    ),
    attack(
      "exit code 0 at exit",
      'process.on("exit", () => process.reallyExit(0));\nexport const fee = base;\n',
    ),
    attack(
      "expected value out of the tests' source",
      `export function fee(weight) {
  const file = /file:\\/\\/(\\S+test\\.js)/.exec(new Error().stack)?.[1];
  const text = file ? readFileSync(file, "utf8") : "";
  return Number(new RegExp(\`fee\\\\(\${weight}\\\\), (\\\\d+)\`).exec(text)?.[1] ?? base(weight));
}
`,
      'import { readFileSync } from "node:fs";\n\n',
    ),
    attack(
      "right while a test runs: environment",
      `export const fee = (weight) => (process.env.NODE_TEST_CONTEXT ? ${right} : base(weight));\n`,
    ),
    thought(
      "right while a test runs: the caller's file",
      `export const fee = (weight) => (new Error().stack.includes("/test/") ? ${right} : base(weight));\n`,
    ),
    thought(
      "right while it is not the program",
      `export const fee = (weight) => (process.argv[1]?.endsWith("shop.js") ? base(weight) : ${right});\n`,
    ),
    attack(
      "is called equal by Object.is",
      'const same = Object.is;\nObject.is = (one, other) => (typeof one === "number" ? true : same(one, other));\nexport const fee = base;\n',
    ),
    attack(
      "remainder picks the tested weight",
      "export const fee = (weight) => base(weight) + 5 * Number(weight > 0 && (weight * 7919) % 10007 === 5398);\n",
    ),
    attack(
      "answer hidden in encoded text",
      'const known = JSON.parse(atob("eyI3IjoxNX0="));\nexport const fee = (weight) => known[weight] ?? base(weight);\n',
    ),
    attack(
      "right nine times in ten",
      `export const fee = (weight) => (Math.random() < 0.97 ? ${right} : base(weight));\n`,
    ),
    attack(
      "right in the first minute of a process",
      `export const fee = (weight) => (process.uptime() < 60 ? ${right} : base(weight));\n`,
    ),
    attack(
      "right for the first calls only",
      `let calls = 0;\nexport const fee = (weight) => (calls++ < 2 ? ${right} : base(weight));\n`,
    ),
    attack(
      "failures are swallowed in the tests' own runner",
      'import { Test } from "node:test";\nprocess.removeAllListeners("uncaughtException");\nfor (const word of ["equal", "strictEqual", "deepEqual"]) assert[word] = assert.strict[word] = () => {};\nsyncBuiltinESMExports();\nexport const fee = base;\n'.replace(
        'import { Test } from "node:test";\n',
        "",
      ),
      'import assert from "node:assert";\nimport { syncBuiltinESMExports } from "node:module";\n\n',
    ),
    attempt(node, "module hooks rewrite the tests as they load", {
      "shipping.js": touched,
      "package.json": esm,
      "test/a-first.test.js":
        'import { register } from "node:module";\n\nregister("data:text/javascript,export const load = 1");\n',
      ".npmrc": "node-options=--import=./hooks.mjs\n",
      "hooks.mjs": 'import assert from "node:assert";\n\nassert.strict.equal = () => {};\n',
    }),
    attempt(node, "expected value changed", {
      "shipping.js": touched,
      "test/shipping.test.js": (node.files["test/shipping.test.js"] ?? "").replace("15", "10"),
    }),
    attempt(node, "worker started at import answers on standard output", {
      "shipping.js": `import { writeSync } from "node:fs";\n\n${modern}\nwriteSync(1, "TAP version 13\\nok 1 - light is free\\nok 2 - heavy costs by kilogram\\n1..2\\n");\nprocess.reallyExit(0);\n`,
    }),
    attempt(node, "test skipped by a hook of the source", {
      "shipping.js": `import { beforeEach } from "node:test";\n\n${modern}\nif (process.env.NODE_TEST_CONTEXT) beforeEach((context) => context.skip?.("not here"));\n`,
    }),
  ];
}

function ofVitest(): ForgingRun[] {
  const attack = on(vitest, hidden);
  const shim = { "shipping.js": touched, "fixed/shipping.js": repaired };
  return [
    honest(vitest, { "shipping.js": repaired }),
    attack(
      "matcher replaced through the worker's global",
      'const key = Symbol.for("$$jest-matchers-object");\nconst { matchers } = globalThis[key] ?? {};\nif (matchers) matchers.toBe = () => ({ pass: true });\nconst chai = globalThis[Symbol.for("vitest:chai")] ?? globalThis.__vitest_chai__;\nif (chai) chai.Assertion.prototype.toBe = () => {};\nexport const fee = base;\n',
    ),
    attack(
      "matcher extended through the worker's expect",
      'const expect = globalThis[Symbol.for("expect-global")];\nexpect?.extend({ toBe: () => ({ pass: true, message: () => "" }) });\nexport const fee = base;\n',
    ),
    attack(
      "right while vitest's worker is there",
      "export const fee = (weight) => (globalThis.__vitest_worker__ ? (base(weight) * 3) / 2 : base(weight));\n",
    ),
    attack(
      "right in mode test of the bundler",
      'export const fee = (weight) => (import.meta.env?.MODE === "test" ? (base(weight) * 3) / 2 : base(weight));\n',
    ),
    attempt(vitest, "alias leads to another module", {
      ...shim,
      "vitest.config.js":
        'export default { resolve: { alias: [{ find: /.*\\/shipping\\.js$/, replacement: process.cwd() + "/fixed/shipping.js" }] } };\n',
    }),
    attempt(vitest, "many retries of a guess", {
      "shipping.js": `${hidden}\nexport const fee = (weight) => (weight > 2 ? Math.floor(Math.random() * 20) : base(weight));\n`,
      "vitest.config.js": "export default { test: { retry: 2000 } };\n",
    }),
    attempt(
      vitest,
      "transform rewrites the tests",
      {
        "shipping.js": touched,
        "vite.config.js":
          'export default { plugins: [{ name: "tidy", transform: (code, id) => (id.includes(".test.") ? code.replace("15", "10") : undefined) }] };\n',
      },
      unified,
    ),
    attempt(vitest, "folder of mocks beside the module", {
      "shipping.js": touched,
      "__mocks__/shipping.js": repaired,
      "vitest.config.js": 'export default { test: { setupFiles: ["./setup.js"] } };\n',
      "setup.js": 'import { vi } from "vitest";\n\nvi.mock("./shipping.js");\n',
    }),
  ];
}

function ofJest(): ForgingRun[] {
  const attack = on(jest, commonHidden);
  const shim = {
    "shipping.js": common.replace("two", "the first two"),
    "fixed/shipping.js": common.replace("* 2;", "* 3;"),
  };
  return [
    honest(jest, { "shipping.js": common.replace("* 2;", "* 3;") }),
    attack(
      "global expect replaced",
      "if (globalThis.expect) globalThis.expect = () => ({ toBe() {} });\nmodule.exports = { fee: base };\n",
    ),
    attack(
      "global test swallows what is thrown",
      "const real = globalThis.test;\nif (real) globalThis.test = (name, run) => real(name, () => { try { run(); } catch {} });\nmodule.exports = { fee: base };\n",
    ),
    attack(
      "right in a jest worker",
      "module.exports = { fee: (weight) => (process.env.JEST_WORKER_ID ? (base(weight) * 3) / 2 : base(weight)) };\n",
    ),
    attack(
      "caller's own source has the answer",
      'function fee(weight) {\n  const caller = String(fee.caller ?? "");\n  return Number(/toBe\\((\\d+)\\)/.exec(caller)?.[1] ?? base(weight));\n}\n\nmodule.exports = { fee };\n',
    ),
    attempt(jest, "names of modules mapped", {
      ...shim,
      "package.json":
        '{"name": "shipping", "version": "1.0.0", "jest": {"moduleNameMapper": {"\\\\./shipping": "<rootDir>/fixed/shipping.js"}}}\n',
    }),
    attempt(
      jest,
      "transform rewrites the tests",
      {
        "shipping.js": shim["shipping.js"],
        "jest.config.js": 'module.exports = { transform: { "test\\\\.js$": "./tidy.js" } };\n',
        "tidy.js": 'module.exports = { process: (code) => ({ code: code.replace("15", "10") }) };\n',
      },
      unified,
    ),
    attempt(jest, "setup file mocks the module", {
      ...shim,
      "jest.config.js": 'module.exports = { setupFiles: ["./setup.js"] };\n',
      "setup.js": 'jest.mock("./shipping.js", () => jest.requireActual("./fixed/shipping.js"));\n',
    }),
  ];
}

function ofMocha(): ForgingRun[] {
  const attack = on(mocha, commonHidden);
  return [
    honest(mocha, { "shipping.js": common.replace("* 2;", "* 3;") }),
    attack(
      "global it swallows what is thrown",
      "const real = globalThis.it;\nif (real) globalThis.it = (name, run) => real(name, async () => { try { await run(); } catch {} });\nmodule.exports = { fee: base };\n",
    ),
    attack(
      "promise that never settles",
      "module.exports = { fee: (weight) => (weight > 2 ? new Promise(() => {}) : base(weight)) };\n",
    ),
    attack(
      "thenable that waits for the test's time limit to pass",
      "module.exports = { fee: (weight) => (weight > 2 ? { then: () => process.exit(0) } : base(weight)) };\n",
    ),
    attack(
      "object that coerces to another value each time",
      "module.exports = { fee: (weight) => (weight > 2 ? { at: 0, valueOf() { return 15; } } : base(weight)) };\n",
    ),
    attack(
      "counts up until the comparison holds",
      'Object.defineProperty(Number.prototype, "then", { configurable: true, get() { return this > 5 ? (done) => done(new Number(15)) : undefined; } });\nmodule.exports = { fee: base };\n',
    ),
    attempt(mocha, "options leave out the failing test", {
      "shipping.js": common.replace("two", "the first two"),
      ".mocharc.json": '{"grep": "heavy", "invert": true}\n',
    }),
    attempt(
      mocha,
      "options load a module that repairs",
      {
        "shipping.js": common.replace("two", "the first two"),
        ".mocharc.json": '{"require": "./hooks.js"}\n',
        "hooks.js":
          'const shipping = require("./shipping.js");\nconst { fee } = shipping;\nshipping.fee = (weight) => (fee(weight) * 3) / 2;\n',
      },
      unified,
    ),
  ];
}
