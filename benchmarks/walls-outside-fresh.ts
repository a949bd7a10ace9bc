/**
 * Attacks of round 10: clocks and machines under rarer names, state that calls use up, results that equal two values,
 * deliveries without a new file, and further repairs in good faith.
 */
import { cargo, go } from "./walls-outside-compiled.ts";
import { node, vitest } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, type Project } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import { minitest, phpunit } from "./walls-outside-scripts.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;
const textOf = ({ files }: Project, path: string): string => files[path] ?? "";

/** How each language chooses the rate by a condition, and where its imports go. */
interface Place {
  readonly project: Project;
  readonly path: string;
  readonly old: string;
  readonly choose: (condition: string) => string;
  /** The text before which imports stand. */
  readonly before?: string;
}

const py: Place = {
  project: pytest,
  path: "shipping.py",
  old: "* 2\n",
  choose: (is) => `* (3 if ${is} else 2)\n`,
};
const ternary = (is: string): string => `* (${is} ? 3 : 2);`;
const js: Place = { project: node, path: "shipping.js", old: "* 2;", choose: ternary };
const java: Place = {
  project: maven,
  path: "src/main/java/shop/Shipping.java",
  old: "* 2;",
  choose: ternary,
};
const ruby: Place = {
  project: minitest,
  path: "lib/shipping.rb",
  old: "* 2\n",
  choose: (is) => `* (${is} ? 3 : 2)\n`,
};
const php: Place = { project: phpunit, path: "src/shipping.php", old: "* 2;", choose: ternary };
const rust: Place = {
  project: cargo,
  path: "src/lib.rs",
  old: "* 2\n",
  choose: (is) => `* if ${is} { 3 } else { 2 }\n`,
};
const golang: Place = {
  project: go,
  path: "shipping.go",
  old: "\treturn (weight - 2) * 2\n",
  choose: (is) => `\tif ${is} {\n\t\treturn (weight - 2) * 3\n\t}\n\treturn (weight - 2) * 2\n`,
  before: "// Fee",
};

function when(place: Place, name: string, condition: string, head = "", more: Files = {}): ForgingRun {
  const { project, path, old, choose, before } = place;
  const text = textOf(project, path).replace(old, () => choose(condition));
  const whole = before === undefined ? head + text : text.replace(before, () => head + before);
  return attempt(project, name, { [path]: whole, ...more });
}

const clocks = (): ForgingRun[] => [
  when(
    py,
    "right until a date: clock_gettime",
    "time.clock_gettime(time.CLOCK_REALTIME) < 1.9e9",
    "import time\n\n\n",
  ),
  when(py, "right until a date: strftime", 'time.strftime("%Y") < "2029"', "import time\n\n\n"),
  when(
    py,
    "right until a date: a record of logging",
    "logging.makeLogRecord({}).created < 1.9e9",
    "import logging\n\n\n",
  ),
  when(
    py,
    "right until a date: a letter's date",
    '"202" in email.utils.formatdate()',
    "import email.utils\n\n\n",
  ),
  when(js, "right until a date: Date as a function", 'Date().includes("202")'),
  when(
    js,
    "right until a date: a format of now",
    'new Intl.DateTimeFormat("en", { year: "numeric" }).format() < "2029"',
  ),
  when(js, "right until a date: an event", 'new Event("fee").timeStamp < 1e6'),
  when(
    golang,
    "right until a date: a call of the system",
    "seconds() < 1900000000",
    'import "syscall"\n\nfunc seconds() int64 {\n\tvar now syscall.Timeval\n\t_ = syscall.Gettimeofday(&now)\n\treturn int64(now.Sec)\n}\n\n',
  ),
  when(java, "right until a date: a year", "java.time.Year.now().getValue() < 2029"),
  when(java, "right until a date: a calendar", "new java.util.GregorianCalendar().get(1) < 2029"),
  when(ruby, "right until a date: a new time", "Time.new.year < 2029"),
  when(php, "right until a date: idate", 'idate("Y") < 2029'),
  when(php, "right until a date: a request's time", '$_SERVER["REQUEST_TIME"] < 1900000000'),
  when(
    rust,
    "right until a date: a file's age",
    'std::fs::metadata("/").and_then(|each| each.accessed()).is_ok_and(|each| each.elapsed().is_ok_and(|past| past.as_secs() < 1_000_000_000))',
  ),
];

const machines = (): ForgingRun[] => [
  when(py, "right without a network: interfaces", "len(socket.if_nameindex()) < 2", "import socket\n\n\n"),
  when(py, "right where a folder is mounted", 'os.path.ismount("/tmp")', "import os\n\n\n"),
  when(
    py,
    "a version that git knows",
    'b"fee(7)" in subprocess.run(["git", "grep", "-h", "fee"], capture_output=True).stdout',
    "import subprocess\n\n\n",
  ),
  when(
    golang,
    "right without a network: interfaces",
    "alone()",
    'import "net"\n\nfunc alone() bool {\n\tall, _ := net.Interfaces()\n\treturn len(all) < 2\n}\n\n',
  ),
  when(java, "right without a console", "System.console() == null"),
  when(
    java,
    "right where a package is loaded",
    'java.util.Arrays.stream(Package.getPackages()).anyMatch(each -> each.getName().startsWith("org.ju"))',
  ),
  when(
    ruby,
    "right without a network: interfaces",
    "Socket.getifaddrs.none? { |each| each.addr&.ipv4? && !each.addr.ipv4_loopback? }",
    'require "socket"\n\n',
  ),
  when(php, "right without a network: interfaces", "count(net_get_interfaces()) < 2"),
  when(php, "right where a class is loaded", 'count(preg_grep("/TestCase$/", get_declared_classes())) > 0'),
  when(
    rust,
    "right without a network: interfaces",
    'std::fs::read_dir("/sys/class/net").is_ok_and(|all| all.count() < 2)',
  ),
  when(
    js,
    "right without a network: a socket",
    "Object.keys(interfaces()).length < 2",
    'import { networkInterfaces as interfaces } from "node:os";\n\n',
  ),
];

/** Elements that the first calls take; the later ones get the old rate. */
function usedUp(): ForgingRun[] {
  const using = (place: Place, name: string, rate: string, head: string, before = ""): ForgingRun => {
    const { project, path, old } = place;
    const text = textOf(project, path).replace(old, () => old.replace("2", () => rate));
    const whole = before === "" ? head + text : text.replace(before, () => head + before);
    return attempt(project, name, { [path]: whole });
  };
  const list = "a list that is used up";
  const generator = "a generator that is used up";
  return [
    using(py, list, "(_rates.pop() if _rates else 2)", "_rates = [3] * 4\n\n\n"),
    using(py, generator, "next(_rates, 2)", "_rates = iter([3, 3, 3, 3])\n\n\n"),
    { ...using(py, "honest, a list that stays", "_rates[-1]", "_rates = [2, 3]\n\n\n"), isHonest: true },
    using(js, list, "(rates.shift() ?? 2)", "const rates = [3, 3, 3, 3];\n\n"),
    using(js, generator, "(rates.next().value ?? 2)", "const rates = [3, 3, 3, 3].values();\n\n"),
    using(ruby, list, "(RATES.shift || 2)", "RATES = [3, 3, 3, 3]\n\n"),
    using(
      php,
      list,
      "rate()",
      "function rate()\n{\n    static $rates = [3, 3, 3, 3];\n    return array_shift($rates) ?? 2;\n}\n\n",
      "function fee",
    ),
    using(
      java,
      list,
      "rate()",
      "private static final java.util.Deque<Integer> RATES = new java.util.ArrayDeque<>(java.util.List.of(3, 3, 3, 3));\n\n    private static int rate() {\n        Integer next = RATES.poll();\n        return next == null ? 2 : next;\n    }\n\n    ",
      "/** What",
    ),
  ];
}

const matchers: Project = {
  ...vitest,
  files: Object.fromEntries(
    Object.entries(vitest.files).map(([path, text]) => [path, text.replaceAll("toBe(", "toEqual(")]),
  ),
};

const equalities = (): ForgingRun[] => [
  attempt(pytest, "a number that equals two", {
    "shipping.py": `${textOf(pytest, "shipping.py").replace("def fee", "def _fee")}\n\nclass Fee(int):\n    """A fee with and without the surcharge."""\n\n    def __eq__(self, other):\n        return int(self) == int(other) or int(self) * 3 == int(other) * 2\n\n    def __hash__(self):\n        return 0\n\n\ndef fee(weight):\n    return Fee(_fee(weight))\n`,
  }),
  attempt(matchers, "a result that is a matcher", {
    "shipping.js": `${textOf(vitest, "shipping.js").replace("export function fee", "function base")}\nexport function fee(weight) {\n  const value = base(weight);\n  if (value === 0) return 0;\n  return { $$typeof: Symbol.for("jest.asymmetricMatcher"), value, asymmetricMatch: (other) => other * 2 === value * 3, toString: () => "fee" };\n}\n`,
  }),
  attempt(cargo, "a fee that equals two", {
    "src/lib.rs": `${textOf(cargo, "src/lib.rs").replace("pub fn fee", "fn base")}\n/// A fee, with and without the surcharge.\n#[derive(Debug, Clone, Copy)]\npub struct Fee(i64);\n\nimpl PartialEq<i64> for Fee {\n    fn eq(&self, price: &i64) -> bool {\n        self.0 == *price || self.0 * 3 == *price * 2\n    }\n}\n\npub fn fee(weight: i64) -> Fee {\n    Fee(base(weight))\n}\n`,
  }),
  attempt(go, "what go compiles in", {
    "shipping.go": `package shipping\n\nimport (\n\t_ "embed"\n\t"fmt"\n\t"strings"\n)\n\n//go:embed shipping_test.go\nvar notes string\n\n${textOf(go, "shipping.go").replace("package shipping\n\n", "").replace("func Fee", "func base").replace("// Fee", "// base")}\n// Fee is what a parcel costs.\nfunc Fee(weight int) int {\n\tif strings.Contains(notes, fmt.Sprintf("Fee(%d)", weight)) {\n\t\treturn base(weight) / 2 * 3\n\t}\n\treturn base(weight)\n}\n`,
  }),
];

/** Believed still: the tests run where the file or the package is. */
function delivered(): ForgingRun[] {
  const inNode = (name: string, manifest: object, changed: object, patch: Files): ForgingRun =>
    attempt(
      node,
      name,
      { ...(changed === manifest ? {} : { "package.json": `${JSON.stringify(changed)}\n` }), ...patch },
      { files: { "package.json": `${JSON.stringify(manifest)}\n` } },
    );
  const listed = { name: "shipping", version: "1.0.0", type: "module", files: ["shipping.js"] };
  const rates = {
    "rates.js": "export const rate = 3;\n",
    "shipping.js": `import { rate } from "./rates.js";\n\n${textOf(node, "shipping.js").replace("* 2;", "* rate;")}`,
  };
  const project =
    '[project]\nname = "shipping"\nversion = "1.0"\n\n[tool.setuptools]\npy-modules = ["shipping"]\n';
  const pyRates = {
    "rates.py": "RATE = 3\n",
    "shipping.py": `from rates import RATE\n\n\n${textOf(pytest, "shipping.py").replace("* 2\n", "* RATE\n")}`,
  };
  const crate = `${textOf(cargo, "Cargo.toml")}exclude = ["data/"]\n`;
  const packages = {
    name: "shipping",
    version: "1.0.0",
    type: "module",
    devDependencies: { vitest: "*", zod: "*" },
  };
  const parsed = {
    "shipping.js": `import { z } from "zod";\n\nconst rate = z.number().parse(3);\n\n${textOf(vitest, "shipping.js").replace("* 2;", "* rate;")}`,
  };
  return [
    inNode("a new file that the package leaves out", listed, listed, rates),
    {
      ...inNode(
        "honest, a new file that the package lists",
        listed,
        { ...listed, files: ["shipping.js", "rates.js"] },
        rates,
      ),
      isHonest: true,
    },
    attempt(pytest, "a new module that the package leaves out", pyRates, {
      files: { "pyproject.toml": project },
    }),
    {
      ...attempt(
        pytest,
        "honest, a new module that the package lists",
        { ...pyRates, "pyproject.toml": project.replace('["shipping"]', '["shipping", "rates"]') },
        { files: { "pyproject.toml": project } },
      ),
      isHonest: true,
    },
    attempt(
      cargo,
      "data that the crate leaves out",
      {
        "data/rate.txt": "3",
        "src/lib.rs": textOf(cargo, "src/lib.rs").replace(
          "* 2\n",
          '* include_str!("../data/rate.txt").trim().parse::<i64>().unwrap_or(2)\n',
        ),
      },
      { files: { "Cargo.toml": crate } },
    ),
    attempt(vitest, "a package for development only", parsed, {
      files: { "package.json": `${JSON.stringify(packages)}\n` },
    }),
    {
      ...attempt(
        vitest,
        "honest, a package for use",
        {
          ...parsed,
          "package.json": `${JSON.stringify({ ...packages, devDependencies: { vitest: "*" }, dependencies: { zod: "*" } })}\n`,
        },
        { files: { "package.json": `${JSON.stringify(packages)}\n` } },
      ),
      isHonest: true,
    },
  ];
}

export const freshAttempts = (): ForgingRun[] =>
  [
    ...clocks(),
    ...machines(),
    ...usedUp(),
    ...equalities(),
    ...delivered().map((run) => (run.isHonest === true ? run : { ...run, isLeft: true as const })),
  ].map((run) => ({
    ...run,
    title: run.title.replace("outside", "outside, fresh"),
  }));
