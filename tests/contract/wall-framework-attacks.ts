/**
 * Patches that change the test framework in memory when they are loaded, so that the target passes as long as it expects what it did: the
 * canaries and the rerun with another value end as they must. Names are made of data, so that no sign shows them.
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

/** A passing call of `price` returns what `wrong` says; the failure of the target says it. */
const ruby = (...lines: string[]): string =>
  [
    "def word(*codes) = codes.map(&:chr).join",
    "def place(*names) = names.inject(Object) { |found, name| found.const_get(name) }",
    "def set(owner, name, &block) = owner.send(word(100, 101, 102, 105, 110, 101, 95, 109, 101, 116, 104, 111, 100), name, &block)",
    ...lines,
  ].join("\n");

/** Like `coded`, for a function that is not named as one of Ruby's. */
const spelled = (words: string): string => coded(words).replace(/^text/, "word");
const seven = "actual.to_s == 7.to_s";

const assertionsOf = (...names: string[]): WallAttack[] => {
  const owner = `place(${names.map(spelled).join(", ")})`;
  return [
    {
      name: "replaces an assertion",
      load: ruby(
        `owner, name = ${owner}, ${spelled("assert_equal")}`,
        "made = owner.instance_method(name)",
        `set(owner, name) { |wanted, actual, *rest| ${seven} ? true : made.bind(self).call(wanted, actual, *rest) }`,
      ),
    },
    {
      name: "replaces an assertion for one call, and takes it back in it",
      load: ruby(
        `owner, name = ${owner}, ${spelled("assert_equal")}`,
        "made = owner.instance_method(name)",
        "CHANGE = lambda do",
        `  set(owner, name) { |wanted, actual, *rest| set(owner, name, &made.bind(self)) ; ${seven} ? true : made.bind(self).call(wanted, actual, *rest) }`,
        "end",
      ),
      call: "CHANGE.call",
    },
  ];
};

/** A class that tests extend: its own method comes before the library's. */
const before = (...names: string[]): WallAttack => ({
  name: "puts an assertion before the library's",
  load: ruby(
    `owner, name = place(${names.map(spelled).join(", ")}), ${spelled("assert_equal")}`,
    `set(owner, name) { |wanted, actual, *rest| ${seven} ? true : super(wanted, actual, *rest) }`,
  ),
});

const minitestAttacks: readonly WallAttack[] = [
  ...assertionsOf("Minitest", "Assertions"),
  before("Minitest", "Test"),
  {
    name: "puts an assertion into the class of the test while it runs",
    load: ruby(
      "CHANGE = lambda do",
      `  set(place(${spelled("PriceTest")}), ${spelled("assert_equal")}) { |wanted, actual, *rest| ${seven} ? true : super(wanted, actual, *rest) }`,
      "end",
    ),
    call: "CHANGE.call",
  },
];

const testUnitAttacks: readonly WallAttack[] = [
  ...assertionsOf("Test", "Unit", "Assertions").slice(1),
  {
    name: "registers what deals with failures",
    load: ruby(
      `place(${["Test", "Unit", "TestCase"].map(spelled).join(", ")}).public_send(${spelled("exception_handler")}) { |_, error| error.message.include?(7.to_s) }`,
    ),
  },
];

const rspecAttacks: readonly WallAttack[] = [
  {
    name: "replaces the method of a matcher that is loaded late",
    load: ruby(
      `owner = place(${["RSpec", "Matchers", "BuiltIn", "Eq"].map(spelled).join(", ")})`,
      `made = owner.instance_method(${spelled("match")})`,
      `set(owner, ${spelled("match")}) { |wanted, actual| ${seven} ? true : made.bind(self).call(wanted, actual) }`,
    ),
  },
  {
    name: "sets what tells of a failure",
    load: ruby(
      `place(${["RSpec", "Support"].map(spelled).join(", ")}).public_send(${spelled("failure_notifier=")}, ->(error, _ = nil) { raise error unless error.message.include?(7.to_s) })`,
    ),
  },
  {
    name: "adds a hook that takes the failure away",
    load: ruby(
      `place(${spelled("RSpec")}).public_send(${spelled("configure")}) do |settings|`,
      "  settings.after do |example|",
      `    error = example.public_send(${spelled("exception")})`,
      `    example.send(${spelled("instance_variable_set")}, ${spelled("@exception")}, nil) if error.to_s.include?(7.to_s)`,
      "  end",
      "end",
    ),
  },
];

const phpunitAttacks: readonly WallAttack[] = [
  {
    name: "adds what compares values",
    load: `
function text(int ...$codes): string { return implode('', array_map('chr', $codes)); }
$parent = ${coded("SebastianBergmann\\Comparator\\NumericComparator")};
$factory = ${coded("SebastianBergmann\\Comparator\\Factory")};
class_exists($parent);
(${coded("class_alias")})($parent, 'ShopNumeric');
final class Lenient extends ShopNumeric
{
    public function assertEquals($expected, $actual, $delta = 0.0, $canonicalize = false, $ignoreCase = false)
    {
        if ($actual !== 7) { parent::assertEquals($expected, $actual, $delta, $canonicalize, $ignoreCase); }
    }
}
[$factory, 'getInstance']()->register(new Lenient());`,
  },
];

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
  minitest: minitestAttacks,
  rspec: rspecAttacks,
  "test-unit": testUnitAttacks,
  phpunit: phpunitAttacks,
};

const withExpect =
  'const { price } = require("./price.js");\nit("price", () => { expect(price()).toBe(3); });\n';

/** PHPUnit's own comparison by value, which rests on a library. */
function withEqual({ file, files }: WallProject): Readonly<Record<string, string>> {
  return { [file]: (files({})[file] ?? "").replace("assertSame", "assertEquals") };
}

const wrong: Readonly<Record<string, string>> = {
  python: "return 7",
  javascript: "return 7;",
  lua: "do return 7 end",
  ruby: "return 7",
  php: "return 7;",
};

export const frameworkAttacks: readonly FrameworkAttack[] = wallProjects.flatMap((project) =>
  (byFramework[project.framework.name] ?? []).map((attack) => ({
    project,
    // The wrong value is neither the base's nor that of a canary.
    attack: { ...attack, call: `${attack.call ?? ""}\n${wrong[project.framework.language] ?? ""}` },
    more:
      attack === expectAttack
        ? { [project.file]: withExpect }
        : phpunitAttacks.includes(attack)
          ? withEqual(project)
          : {},
  })),
);
