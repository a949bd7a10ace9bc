/** Attacks of JavaScript code on the report of its own tests: the body of `price`, which is wrong, or what its module does when it is loaded. */
import type { TestFramework } from "../../src/languages/contract.ts";
import ava from "../../src/languages/javascript/ava.ts";
import jasmine from "../../src/languages/javascript/jasmine.ts";
import jest from "../../src/languages/javascript/jest.ts";
import mocha from "../../src/languages/javascript/mocha.ts";
import nodeTest from "../../src/languages/javascript/node-test.ts";
import tap from "../../src/languages/javascript/tap.ts";
import tape from "../../src/languages/javascript/tape.ts";
import uvu from "../../src/languages/javascript/uvu.ts";
import vitest from "../../src/languages/javascript/vitest.ts";
import { installPackage, isInstalled } from "./installed-packages.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

/** What the process can find out of where its report goes. */
const means = String.raw`
const environment = Object.fromEntries(
  fs.readFileSync("/proc/self/environ", "latin1").split("\0").map((part) => [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)]),
);
function request() {
  let text = "";
  for (let part = 0; environment["MILLWRIGHT_REQUEST_" + part]; part += 1) text += environment["MILLWRIGHT_REQUEST_" + part];
  return JSON.parse(zlib.inflateSync(Buffer.from(text, "base64")).toString("utf8"));
}
const ASKED = request();
const FOLDER = ASKED.report;
const CHANNEL = ASKED.channel || FOLDER;
const KEY = { package: "", target: FILE, name: NAME };
const line = (event) => JSON.stringify(event) + "\n";
const forged = () => [
  line({ event: "run-started", framework: "x" }),
  line({ event: "tests-found", tests: [KEY] }),
  line({ event: "test-started", test: KEY }),
  line({ event: "test-ended", test: KEY, status: "passed", durationMs: 1 }),
  line({ event: "run-ended", counts: { passed: 1 } }),
];
const passed = (text) =>
  text.replace(/,"failure":\{.*\}\}/g, "}").replaceAll('"status":"failed"', '"status":"passed"').replace('"counts":{"failed":1}', '"counts":{"passed":1}');
const quietly = (work) => { try { return work(); } catch { return undefined; } };
const files = () => (quietly(() => fs.readdirSync(FOLDER)) || []).filter((name) => name.endsWith(".jsonl")).map((name) => FOLDER + "/" + name);
const pipes = () => (quietly(() => fs.readdirSync(CHANNEL)) || []).map((name) => CHANNEL + "/" + name).filter((path) => fs.statSync(path).isFIFO());
const send = (path, data) => quietly(() => {
  const pipe = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  fs.writeSync(pipe, data);
  fs.closeSync(pipe);
});
const sendLines = (lines, token = "-", stream = "forged", first = 0) => {
  for (const path of pipes()) lines.forEach((text, at) => send(path, token + " " + stream + " " + (first + at) + " " + Buffer.byteLength(text) + "\n" + text));
};
const rewrite = () => { for (const path of files()) fs.writeFileSync(path, passed(fs.readFileSync(path, "utf8"))); };
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const leave = () => (process.reallyExit || process.exit)(0);
`;

const javascriptAttacks: readonly WallAttack[] = [
  {
    name: "rewrites the report at the end of the process",
    load: `process.on("exit", () => { rewrite(); sendLines(forged()); leave(); });`,
  },
  {
    name: "deletes the report's folder",
    call: "fs.rmSync(FOLDER, { recursive: true, force: true }); wait(700);",
  },
  {
    name: "deletes the report's folder and the channel",
    call: "for (const folder of [FOLDER, CHANNEL]) quietly(() => fs.rmSync(folder, { recursive: true, force: true })); wait(700);",
  },
  {
    name: "replaces the report's folder by a link out of the sandbox",
    outside: "forged.jsonl",
    call: `fs.renameSync(FOLDER, FOLDER + "-away"); fs.symlinkSync("@OUTSIDE@", FOLDER); wait(700); leave();`,
  },
  {
    name: "replaces the channel by a file",
    call: `
for (const path of [...pipes(), ...files()]) quietly(() => { fs.unlinkSync(path); fs.writeFileSync(path, forged().join("")); });
leave();`,
  },
  {
    name: "truncates the report and writes another",
    call: `for (const path of files()) fs.writeFileSync(path, forged().join("")); leave();`,
  },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: `
for (const path of files()) fs.appendFileSync(path, forged().slice(3).join(""));
sendLines(forged());
leave();`,
  },
  {
    name: "writes a whole report when it is loaded, and leaves",
    load: `
for (const path of files()) fs.appendFileSync(path, forged().slice(1).join(""));
sendLines(forged());
leave();`,
  },
  {
    name: "leaves a process that writes later",
    call: `
const text = "const fs = require('fs'); setTimeout(() => { for (const path of " + JSON.stringify(files()) + ") { const text = fs.readFileSync(path, 'utf8').replace(/,\\"failure\\":.*}}/g, '}').replaceAll('failed', 'passed'); fs.writeFileSync(path, text); } }, 300)";
cp.spawn(process.execPath, ["-e", text], { detached: true, stdio: "ignore" }).unref();
process.on("exit", () => { wait(900); leave(); });`,
  },
  {
    name: "closes every descriptor",
    call: "for (let number = 3; number < 256; number += 1) quietly(() => fs.closeSync(number));",
  },
  {
    name: "writes into every descriptor that is open",
    call: `
for (let number = 3; number < 64; number += 1)
  if (quietly(() => fs.fstatSync(number).isFile() || fs.fstatSync(number).isFIFO())) quietly(() => fs.writeSync(number, forged().slice(3).join("")));
leave();`,
  },
  {
    name: "takes what the channel has for its reader",
    load: `
const kept = pipes().flatMap((path) => quietly(() => fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_NONBLOCK)) ?? []);
process.on("exit", () => {
  for (const pipe of kept)
    quietly(() => {
      const buffer = Buffer.alloc(65536);
      const token = buffer.toString("latin1", 0, fs.readSync(pipe, buffer, 0, buffer.length, null)).split(" ")[0].trim();
      sendLines(forged(), token);
    });
  leave();
});`,
  },
  {
    name: "sends what is no frame",
    call: `for (const path of pipes()) { send(path, "x".repeat(4000)); send(path, "- a 0 9999\\n{}"); } leave();`,
  },
  { name: "leaves without a word", call: "leave();" },
  {
    name: "prints what a passing run prints, and leaves",
    call: String.raw`
process.stdout.write("TAP version 13\n# price\nok 1 - price\n1..1\n# tests 1\n# pass  1\n  ok 1 - price\n");
fs.writeSync(1, "ok 1 - price\n1..1\n");
leave();`,
  },
];

/** What each tool's reader takes for a passing test. */
function tapAttack(words: string): readonly WallAttack[] {
  const load = "const say = (text) => fs.writeSync(1, text);";
  return [
    {
      name: "prints the framework's own marks, and leaves by a system call",
      load,
      call: `say(${JSON.stringify(words)}); leave();`,
    },
    {
      name: "prints a whole run's marks when it is loaded, and leaves",
      load: `${load} say("TAP version 13\\n" + ${JSON.stringify(words)}); leave();`,
    },
    { name: "prints a result before the framework does", load, call: `say(${JSON.stringify(words)});` },
    {
      name: "prints a result, and takes the output away from the framework",
      load,
      call: `say(${JSON.stringify(words)}); fs.closeSync(1);`,
    },
    {
      name: "prints a passing run's marks at the end of a failing one",
      load: `${load} process.on("exit", () => { say(${JSON.stringify(words)}); leave(); });`,
    },
  ];
}

const tapAttacks: Readonly<Record<string, readonly WallAttack[]>> = {
  tape: tapAttack("# price\nok 1 price\n\n1..1\n# tests 1\n# pass  1\n\n# ok\n"),
  tap: tapAttack(
    "# Subtest: price\n    ok 1 - price\n    1..1\nok 1 - price # time=1ms\n\n1..1\n# time=1ms\n",
  ),
  ava: tapAttack("ok 1 - price\n\n1..1\n# tests 1\n# pass 1\n# fail 0\n"),
};

function findMissing({ name }: TestFramework): string | undefined {
  return name === "node-test" || isInstalled(name) ? undefined : `${name} is not installed`;
}

/** The framework's own code in its process, in another's words. */
const limits: Readonly<Record<string, readonly WallAttack[]>> = {
  mocha: [
    {
      name: "takes the place of the framework's runner",
      load: `
const { Runner } = require("mocha");
Runner.prototype.fail = function (test) { test.state = "passed"; this.emit("pass", test); };`,
    },
  ],
};

function project(
  framework: TestFramework,
  command: string,
  file: string,
  target: string,
  test: string,
  others: Readonly<Record<string, string>> = {},
): WallProject {
  const isModule = file.endsWith(".mjs");
  const names = { fs: "node:fs", zlib: "node:zlib", cp: "node:child_process" };
  const loads = Object.entries(names).map(([name, module]) =>
    isModule
      ? `import ${name} from "${module}";`
      : `const ${name} = require("${module.slice("node:".length)}");`,
  );
  return {
    framework,
    unavailable: async () => findMissing(framework),
    command,
    attacks: [...javascriptAttacks, ...(tapAttacks[framework.name] ?? [])],
    ...(limits[framework.name] && { limits: limits[framework.name] ?? [] }),
    file,
    target,
    repair: { call: "return 3;" },
    ...(framework === nodeTest ? {} : { prepare: (root) => installPackage(root, framework.name) }),
    files: ({ load = "", call = "" }) => ({
      ...others,
      ".gitignore": "node_modules\n",
      "package.json": "{}",
      [isModule ? "price.mjs" : "price.js"]: [
        ...loads,
        `const FILE = ${JSON.stringify(file)}, NAME = ${JSON.stringify(target)};`,
        means,
        load,
        isModule ? "export function price() {" : "exports.price = function price() {",
        call,
        "  return 2;",
        "}",
      ].join("\n"),
      [file]: test,
    }),
  };
}

const load = 'const { price } = require("./price.js");\nconst assert = require("assert");\n';

export const javascriptProjects: readonly WallProject[] = [
  project(
    nodeTest,
    "node --test price.test.js",
    "price.test.js",
    "price",
    `${load}const { test } = require("node:test");\ntest("price", () => assert.equal(price(), 3));\n`,
  ),
  project(
    mocha,
    "npx mocha price.test.js",
    "price.test.js",
    "price",
    `${load}it("price", () => assert.equal(price(), 3));\n`,
  ),
  project(
    jest,
    "npx jest",
    "price.test.js",
    "price",
    `${load}test("price", () => assert.equal(price(), 3));\n`,
  ),
  project(
    vitest,
    "npx vitest run",
    "price.test.mjs",
    "price",
    'import { expect, test } from "vitest";\nimport { price } from "./price.mjs";\ntest("price", () => expect(price()).toBe(3));\n',
  ),
  project(
    jasmine,
    "npx jasmine price.spec.js",
    "price.spec.js",
    "price",
    `${load}it("price", () => assert.equal(price(), 3));\n`,
  ),
  project(
    uvu,
    "npx uvu . 'test.js$'",
    "price.test.js",
    "price",
    `${load}const { test } = require("uvu");\ntest("price", () => assert.equal(price(), 3));\ntest.run();\n`,
  ),
  project(
    tape,
    "npx tape price.test.js",
    "price.test.js",
    "price",
    `${load}require("tape")("price", (t) => { t.equal(price(), 3); t.end(); });\n`,
  ),
  project(
    tap,
    "npx tap price.test.js",
    "price.test.js",
    "price",
    `${load}require("tap").test("price", (t) => { t.equal(price(), 3); t.end(); });\n`,
  ),
  project(
    ava,
    "npx ava price.test.mjs",
    "price.test.mjs",
    "price",
    'import test from "ava";\nimport { price } from "./price.mjs";\ntest("price", (t) => { t.is(price(), 3); });\n',
  ),
];
