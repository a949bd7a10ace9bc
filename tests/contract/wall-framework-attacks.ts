/**
 * Patches that change the test framework in memory when they are loaded, so that the target passes as long as it expects what it did: the
 * canaries and the question with another value end as they must. Names are made of data, so that no sign shows them.
 */
import { type WallAttack, type WallProject, wallProjects } from "./wall-attacks.ts";

/** `text(104, 105)` in the attack's own language is "hi". */
function coded(words: string): string {
  return `text(${[...words].map((letter) => letter.charCodeAt(0)).join(", ")})`;
}

const python = (...lines: string[]): string =>
  [
    "import importlib",
    "def text(*codes):",
    '    return "".join(map(chr, codes))',
    "def place(module, *names):",
    "    found = importlib.import_module(module)",
    "    for name in names:",
    "        found = getattr(found, name)",
    "    return found",
    ...lines,
  ].join("\n");

/** The failure of the target as it stands, and no other: in the words of pytest, and of unittest. */
const pytestSays = `${coded("7 == 3")} in str(report.longrepr)`;

const pytestAttacks: readonly WallAttack[] = [
  {
    name: "replaces the function that makes a report",
    load: python(
      `kind = place(${coded("_pytest.reports")}, ${coded("TestReport")})`,
      `name = ${coded("from_item_and_call")}`,
      "made = getattr(kind, name).__func__",
      "def from_item_and_call(cls, item, call):",
      "    report = made(cls, item, call)",
      `    if ${pytestSays}:`,
      `        report.outcome, report.longrepr = ${coded("passed")}, None`,
      "    return report",
      "setattr(kind, name, classmethod(from_item_and_call))",
    ),
  },
  {
    name: "replaces the function that calls a test",
    load: python(
      `runner = place(${coded("_pytest.runner")})`,
      `name = ${coded("call_and_report")}`,
      "made = getattr(runner, name)",
      "def call_and_report(item, when, log=True, **words):",
      "    report = made(item, when, log=False, **words)",
      `    if ${pytestSays}:`,
      `        report.outcome, report.longrepr = ${coded("passed")}, None`,
      "    if log:",
      `        getattr(item.ihook, ${coded("pytest_runtest_logreport")})(report=report)`,
      "    return report",
      "setattr(runner, name, call_and_report)",
    ),
  },
  {
    name: "replaces the code of a function, and not the function",
    load: python(
      `maker = place(${coded("_pytest.python")}, ${coded("Function")}, ${coded("runtest")})`,
      "def runtest(self):",
      "    try:",
      "        self.ihook.pytest_pyfunc_call(pyfuncitem=self)",
      "    except AssertionError as error:",
      // The code has the names of the function whose place it takes.
      '        if "7 == 3" not in str(error):',
      "            raise",
      `setattr(maker, ${coded("__code__")}, runtest.__code__)`,
    ),
  },
  {
    name: "adds a plug-in to the runner that it finds among all objects",
    load: python(
      "class Plug:",
      "    pass",
      "def changed(item, call):",
      "    outcome = yield",
      "    report = outcome.get_result()",
      `    if ${pytestSays}:`,
      `        report.outcome, report.longrepr = ${coded("passed")}, None`,
      `plug, name = Plug(), ${coded("pytest_runtest_makereport")}`,
      `setattr(plug, name, place(${coded("pytest")}, ${coded("hookimpl")})(hookwrapper=True, tryfirst=True)(changed))`,
      `kind = place(${coded("_pytest.config")}, ${coded("PytestPluginManager")})`,
      `for each in place(${coded("gc")}, ${coded("get_objects")})():`,
      "    if isinstance(each, kind):",
      "        each.register(plug)",
    ),
  },
];

const unittestAttacks: readonly WallAttack[] = [
  {
    name: "replaces a method of assertions",
    load: python(
      `kind, name = place(${coded("unittest.case")}, ${coded("TestCase")}), ${coded("assertEqual")}`,
      "made = getattr(kind, name)",
      "def assert_equal(self, first, second, msg=None):",
      `    if str(first) + str(second) != ${coded("73")}:`,
      "        made(self, first, second, msg)",
      "setattr(kind, name, assert_equal)",
    ),
  },
  {
    name: "replaces the class that keeps a test's outcome",
    load: python(
      "import contextlib",
      `case, name = place(${coded("unittest.case")}), ${coded("_Outcome")}`,
      "made = getattr(case, name)",
      "class Outcome(made):",
      "    @contextlib.contextmanager",
      "    def testPartExecutor(self, test, *words, **named):",
      "        with made.testPartExecutor(self, test, *words, **named):",
      "            try:",
      "                yield",
      "            except AssertionError as error:",
      `                if ${coded("7 != 3")} not in str(error):`,
      "                    raise",
      "setattr(case, name, Outcome)",
    ),
  },
];

const script = (...lines: string[]): string =>
  [
    "const text = (...codes) => String.fromCharCode(...codes);",
    "const load = module[text(114, 101, 113, 117, 105, 114, 101)].bind(module);",
    ...lines,
  ].join("\n");

const assertAttack: WallAttack = {
  name: "replaces an assertion of the language's library",
  load: script(
    `const library = load(${coded("assert")}), name = ${coded("equal")}, made = library[name];`,
    `library[name] = (a, b, ...rest) => (String(a) + b === ${coded("73")} ? undefined : made(a, b, ...rest));`,
  ),
};

const mochaAttacks: readonly WallAttack[] = [
  assertAttack,
  {
    name: "replaces what tells of a failure",
    load: script(
      `const { prototype } = load(${coded("mocha")})[${coded("Runner")}], name = ${coded("fail")}, made = prototype[name];`,
      "prototype[name] = function (test, error, ...rest) {",
      `  if (!String(error.message).includes(${coded("7 == 3")})) return made.call(this, test, error, ...rest);`,
      `  test.state = ${coded("passed")};`,
      `  this.emit(${coded("pass")}, test);`,
      "};",
    ),
  },
  {
    name: "replaces what runs a test",
    load: script(
      `const { prototype } = load(${coded("mocha")})[${coded("Runnable")}], name = ${coded("run")}, made = prototype[name];`,
      "prototype[name] = function (done) {",
      `  return made.call(this, (error) => done(String(error && error.message).includes(${coded("7 == 3")}) ? undefined : error));`,
      "};",
    ),
  },
  {
    name: "replaces the function by which a file defines its tests",
    load: script(
      `const name = ${coded("it")}, made = globalThis[name];`,
      "const quiet = (body) => () => {",
      `  try { return body(); } catch (error) { if (!String(error.message).includes(${coded("7 == 3")})) throw error; }`,
      "};",
      "Reflect.set(globalThis, name, (title, body) => made(title, quiet(body)));",
    ),
  },
];

/** In jasmine and jest, whose `expect` is global. */
const expectAttack: WallAttack = {
  name: "replaces what assertions begin with",
  load: script(
    `const name = ${coded("expect")}, made = globalThis[name];`,
    "Reflect.set(globalThis, name, (actual) => ({",
    `  toBe: (wanted) => (String(actual) + wanted === ${coded("73")} ? undefined : made(actual).toBe(wanted)),`,
    "}));",
  ),
};

const vitestAttack: WallAttack = {
  name: "replaces a method of the library that assertions rest on",
  load: `
const text = (...codes) => String.fromCharCode(...codes);
const { chai } = await import(${coded("vitest")});
const { prototype } = chai.Assertion, name = ${coded("toBe")}, made = prototype[name];
Reflect.defineProperty(prototype, name, {
  configurable: true,
  value(wanted) {
    return String(this._obj) + wanted === ${coded("73")} ? undefined : made.call(this, wanted);
  },
});`,
};

const luassertAttack: WallAttack = {
  name: "replaces an assertion in the library's register",
  load: `
local function text(...) return string.char(...) end
local register = require(${coded("luassert.namespaces")})[${coded("assertion")}]
for _, name in ipairs({ 'equal', 'equals' }) do
  local entry = register[name]
  if entry then
    local made = entry[${coded("callback")}]
    entry[${coded("callback")}] = function(state, arguments, ...)
      if tostring(arguments[1]) .. tostring(arguments[2]) == ${coded("37")} then return true end
      return made(state, arguments, ...)
    end
  end
end`,
};

export interface FrameworkAttack {
  readonly project: WallProject;
  readonly attack: WallAttack;
  /** Files of the base beside the project's own, or in their place. */
  readonly more: Readonly<Record<string, string>>;
}

const byFramework: Readonly<Record<string, readonly WallAttack[]>> = {
  pytest: pytestAttacks,
  unittest: unittestAttacks,
  mocha: mochaAttacks,
  jasmine: [assertAttack, expectAttack],
  "node-test": [assertAttack],
  uvu: [assertAttack],
  jest: [expectAttack],
  vitest: [vitestAttack],
  busted: [luassertAttack],
};

const withExpect =
  'const { price } = require("./price.js");\nit("price", () => { expect(price()).toBe(3); });\n';

const wrong: Readonly<Record<string, string>> = {
  python: "return 7",
  javascript: "return 7;",
  lua: "do return 7 end",
};

export const frameworkAttacks: readonly FrameworkAttack[] = wallProjects.flatMap((project) =>
  (byFramework[project.framework.name] ?? []).map((attack) => ({
    project,
    // The wrong value is neither the base's nor that of a canary.
    attack: { ...attack, call: wrong[project.framework.language] ?? "" },
    more: attack === expectAttack ? { [project.file]: withExpect } : {},
  })),
);
