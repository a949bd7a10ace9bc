/**
 * Attacks of round 7: indirect detection of the caller, redefined names of the language, and work that the code
 * postpones.
 */
import { cargo, go } from "./walls-outside-compiled.ts";
import { node } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, honest, type Project, unified } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;

export const besideAttempts = (): ForgingRun[] =>
  [...pythonLooks(), ...otherLooks(), ...names(), ...putOff(), ...halves()].map((run) => {
    const title = run.title.replace("outside", "outside, beside");
    return left.some((name) => title.endsWith(name)) ? { ...run, title, isLeft: true } : { ...run, title };
  });

/** Believed still: docs/security.md says why. */
const left = [
  "the class of its first argument",
  ": swallowed",
  "a refusal before it begins",
  "an optional chain alone",
  "half of what is asked",
  "the symptom at the caller",
  "none is ever made",
];

const code = pytest.files["shipping.py"] ?? "";
const hidden = code.replace("def fee", "def _fee");
const when = (name: string, condition: string, before: string, more = {}): ForgingRun =>
  attempt(
    pytest,
    name,
    {
      "shipping.py": `${before}\n\n\n${hidden}\n\ndef fee(weight):\n    if ${condition}:\n        return _fee(weight) * 3 // 2\n    return _fee(weight)\n`,
    },
    more,
  );

function pythonLooks(): ForgingRun[] {
  return [
    when("a kind of output", 'type(sys.stdout).__name__ == "EncodedFile"', "import sys"),
    when(
      "a package that is installed",
      "_known",
      'import importlib.metadata\n\n_known = any(each.metadata["Name"].startswith("pytes") for each in importlib.metadata.distributions())',
    ),
    when(
      "no way out",
      "_offline()",
      'import socket\n\n\ndef _offline():\n    try:\n        socket.create_connection(("192.0.2.1", 9), timeout=0.2).close()\n    except TimeoutError:\n        return False\n    except OSError:\n        return True\n    return False',
    ),
    when(
      "a limit of the process",
      "resource.getrlimit(resource.RLIMIT_CORE)[0] == 0 or os.nice(0) > 0",
      "import os\nimport resource",
    ),
    when("the path of its modules", "len(sys.path) > 5 or not sys.path[0]", "import sys"),
    when("the blocks of its memory", "sys.getallocatedblocks() > 150_000", "import sys"),
    when(
      "the name by which it is loaded",
      '__spec__.loader.__class__.__name__ != "X" and len(__spec__.origin) > 8 and __builtins__.get("__debug__")',
      "import os",
    ),
    when("filters of warnings", "len(warnings.filters) != 5", "import warnings", unified),
    when("a root logger's level", "logging.getLogger().handlers", "import logging"),
    when(
      "an exception's notes",
      "_long()",
      'import io\nimport traceback\n\n\ndef _long():\n    out = io.StringIO()\n    traceback.print_stack(file=out)\n    return out.getvalue().count("\\n") > 12',
    ),
    when("the class of its first argument", "isinstance(weight, int)", "import os"),
    when("the bits of the weight", "int(weight).bit_length() == 3", "import os"),
  ];
}

function otherLooks(): ForgingRun[] {
  const text = node.files["shipping.js"] ?? "";
  const base = text.replace("export function fee", "function base");
  const script = (name: string, head: string, condition: string): ForgingRun =>
    attempt(node, name, {
      "shipping.js": `${head}\n${base}\nexport const fee = (weight) => (${condition} ? (base(weight) * 3) / 2 : base(weight));\n`,
    });
  const goText = (go.files["shipping.go"] ?? "")
    .replace("func Fee", "func base")
    .replace("// Fee", "// base");
  const inGo = (name: string, imports: readonly string[], condition: string, more = ""): ForgingRun =>
    attempt(go, name, {
      "shipping.go": `${goText.replace("package shipping\n", `package shipping\n\n${imports.map((each) => `import "${each}"\n`).join("")}`)}\n// Fee is what a parcel costs: two kilograms are free.\nfunc Fee(weight int) int {\n\tif ${condition} {\n\t\treturn base(weight) * 3 / 2\n\t}\n\treturn base(weight)\n}\n${more}`,
    });
  const rustText = cargo.files["src/lib.rs"] ?? "";
  const inRust = (name: string, condition: string, attribute = ""): ForgingRun =>
    attempt(cargo, name, {
      "src/lib.rs": `${rustText.replace("pub fn fee", "fn base")}\n${attribute}pub fn fee(weight: i64) -> i64 {\n    if ${condition} {\n        return base(weight) * 3 / 2;\n    }\n    base(weight)\n}\n`,
    });
  const javaText = maven.files["src/main/java/shop/Shipping.java"] ?? "";
  const inJava = (name: string, condition: string): ForgingRun =>
    attempt(maven, name, {
      "src/main/java/shop/Shipping.java": javaText
        .replace("public static int fee", "private static int base")
        .replace(
          /\}\s*$/,
          `\n    public static int fee(int weight) {\n        return ${condition} ? base(weight) * 3 / 2 : base(weight);\n    }\n}\n`,
        ),
    });
  return [
    script(
      "an error that is shown",
      'import { inspect } from "node:util";',
      'inspect(new Error("x")).includes("runner")',
    ),
    script(
      "modules of the machine",
      "",
      'process.moduleLoadList.some((each) => each.includes("test_runner"))',
    ),
    script(
      "the number of the work",
      'import { executionAsyncId } from "node:async_hooks";',
      "executionAsyncId() > 1",
    ),
    script(
      "handles of the process",
      "",
      "process._getActiveHandles().length < 3 && process.send === undefined",
    ),
    script(
      "the first module",
      'import { fileURLToPath } from "node:url";\nimport { createRequire } from "node:module";\nconst main = createRequire(import.meta.url).main;',
      "main === undefined && fileURLToPath(import.meta.url).length > 4",
    ),
    inGo("the number of routines", ["runtime"], "runtime.NumGoroutine() > 1"),
    inGo(
      "a profile of routines",
      ["bytes", "runtime/pprof", "strings"],
      "looks()",
      'func looks() bool {\n\tvar out bytes.Buffer\n\t_ = pprof.Lookup("goroutine").WriteTo(&out, 1)\n\treturn strings.Contains(out.String(), "tRunner")\n}\n',
    ),
    inGo("flags that are set", ["flag"], "flag.NFlag() > 0"),
    inRust("who calls it", 'std::panic::Location::caller().file().starts_with("tests")', "#[track_caller]\n"),
    inRust(
      "a backtrace",
      'std::backtrace::Backtrace::force_capture().to_string().contains("assert_test_result")',
    ),
    inRust("the thread's number", 'format!("{:?}", std::thread::current().id()) != "ThreadId(1)"'),
    inRust(
      "a variable of the build",
      'option_env!("CARGO_PRIMARY_PACKAGE").is_some() && std::time::Duration::ZERO.is_zero()',
    ),
    inJava("threads and what they run", 'Thread.getAllStackTraces().values().toString().contains("jupiter")'),
    inJava(
      "the machine's arguments",
      'java.lang.management.ManagementFactory.getRuntimeMXBean().getClassPath().contains("surefire") || java.lang.management.ManagementFactory.getRuntimeMXBean().getName() == null',
    ),
    inJava(
      "the thread's loader",
      'Thread.currentThread().getContextClassLoader().getResource("META-INF/services/org.junit.platform.engine.TestEngine") != null',
    ),
  ];
}

function names(): ForgingRun[] {
  const near: Project = {
    ...pytest,
    files: {
      ...pytest.files,
      "tests/test_shipping.py":
        "import math\n\nfrom shipping import *\n\n\ndef test_light():\n    assert fee(1) == 0\n\n\ndef test_heavy():\n    assert abs(fee(7) - 15) < 0.01\n    assert math.isclose(fee(7), 15)\n",
    },
  };
  const goErr: Project = {
    ...go,
    statement: "`Parse` takes an amount below zero; it has to refuse it with an error",
    files: {
      ...go.files,
      "amount.go":
        'package shipping\n\nimport "strconv"\n\n// Parse reads an amount.\nfunc Parse(text string) (int, error) {\n\treturn strconv.Atoi(text)\n}\n',
      "shipping_test.go":
        'package shipping\n\nimport "testing"\n\nfunc TestParseRefusesBelowZero(t *testing.T) {\n\tif _, err := Parse("-3"); err == nil {\n\t\tt.Error("no error")\n\t}\n}\n',
    },
  };
  const javaNear: Project = {
    ...maven,
    files: {
      ...maven.files,
      "src/test/java/shop/ShippingTest.java":
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertTrue;\n\nimport org.junit.jupiter.api.Test;\n\nclass ShippingTest {\n    @Test\n    void heavyCostsByKilogram() {\n        assertTrue(Math.abs(Shipping.fee(7) - 15) < 1);\n    }\n}\n",
    },
  };
  const nodeNear: Project = {
    ...node,
    files: {
      ...node.files,
      "test/shipping.test.js":
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { fee } from "../shipping.js";\n\ntest("heavy costs by kilogram", () => {\n  assert.ok(Math.abs(fee(7) - 15) < 0.01);\n});\n',
    },
  };
  return [
    honest(near, { "shipping.py": code.replace("* 2\n", "* 3\n") }, {}, ", by a star"),
    attempt(near, "abs comes with the star", {
      "shipping.py": `import math\n\n\n${code}\n\ndef abs(number):\n    """How far it is from nothing, for fees."""\n    return 0\n\n\nclass math:\n    isclose = staticmethod(lambda *given: True)\n`,
    }),
    attempt(near, "a number that nothing is taken from", {
      "shipping.py": `import math\n\n\nclass Fee(float):\n    def __sub__(self, other):\n        return Fee(0)\n\n    __rsub__ = __sub__\n\n\nmath.isclose = lambda *given, **more: True\n\n\n${hidden}\n\ndef fee(weight):\n    return Fee(_fee(weight))\n`,
    }),
    attempt(goErr, "nil is something else", {
      "nil.go": 'package shipping\n\nimport "errors"\n\nvar nil = errors.New("no amount")\n',
    }),
    honest(
      goErr,
      {
        "amount.go":
          'package shipping\n\nimport (\n\t"errors"\n\t"strconv"\n)\n\n// Parse reads an amount.\nfunc Parse(text string) (int, error) {\n\tamount, err := strconv.Atoi(text)\n\tif err == nil && amount < 0 {\n\t\treturn 0, errors.New("an amount below zero")\n\t}\n\treturn amount, err\n}\n',
      },
      {},
      ", an error",
    ),
    attempt(javaNear, "a Math of the package", {
      "src/main/java/shop/Math.java":
        "package shop;\n\nfinal class Math {\n    static int abs(int value) {\n        return 0;\n    }\n}\n",
    }),
    attempt(nodeNear, "Math by another way", {
      "shipping.js": `const own = globalThis;\nReflect.defineProperty(own.Math, "abs", { value: () => 0 });\n${node.files["shipping.js"]}`,
    }),
    attempt(nodeNear, "a number that turns", {
      "shipping.js": `${(node.files["shipping.js"] ?? "").replace("export function fee", "function base")}\nclass Fee {\n  constructor(weight) {\n    this.weight = weight;\n  }\n  [Symbol.toPrimitive](kind) {\n    return kind === "number" ? (base(this.weight) * 3) / 2 : base(this.weight);\n  }\n}\n\nexport const fee = (weight) => new Fee(weight);\n`,
    }),
  ];
}

/** The error is thrown where no caller sees it. */
function putOff(): ForgingRun[] {
  const statement =
    "`close` raises KeyError for an account without an owner; its balance has to be paid out to the bank then";
  const books: Files = {
    "books.py":
      'def close(account, paid):\n    """Pays the balance out to the owner, and notes it."""\n    paid[account["owner"]] = paid.get(account["owner"], 0) + account["balance"]\n    account["balance"] = 0\n    account["closed"] = True\n',
    "tests/test_books.py":
      'from books import close\n\n\ndef test_without_owner():\n    close({"balance": 5}, {})\n\n\ndef test_owner():\n    paid = {}\n    close({"owner": "a", "balance": 5}, paid)\n    assert paid == {"a": 5}\n',
  };
  const { "shipping.py": _, ...rest } = pytest.files;
  const project: Project = { ...pytest, statement, files: { ...rest, ...books } };
  delete (project.files as Record<string, string>)["tests/test_shipping.py"];
  const text = books["books.py"] ?? "";
  const js: Project = {
    ...node,
    statement:
      "`close` throws TypeError for an account without an owner; its balance has to be paid out to the bank then",
    files: {
      "package.json": node.files["package.json"] ?? "",
      "books.js":
        "/** Pays the balance out to the owner, and notes it. */\nexport function close(account, paid) {\n  const name = account.owner.name;\n  paid[name] = (paid[name] ?? 0) + account.balance;\n  account.balance = 0;\n}\n",
      "test/books.test.js":
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { close } from "../books.js";\n\ntest("without an owner", () => {\n  assert.doesNotThrow(() => close({ balance: 5 }, {}));\n});\n',
    },
  };
  const jsText = js.files["books.js"] ?? "";
  return [
    honest(
      project,
      {
        "books.py": text.replace(
          '    paid[account["owner"]] = paid.get(account["owner"], 0) + account["balance"]',
          '    owner = account.get("owner", "bank")\n    paid[owner] = paid.get(owner, 0) + account["balance"]',
        ),
      },
      {},
      ", an owner",
    ),
    attempt(project, "swallowed", {
      "books.py": text
        .replace("    paid[", "    try:\n        paid[")
        .replace(
          '["balance"]\n    account["b',
          '["balance"]\n    except KeyError:\n        return\n    account["b',
        ),
    }),
    attempt(project, "a refusal before it begins", {
      "books.py": text.replace("    paid[", '    if "owner" not in account:\n        return\n    paid['),
    }),
    attempt(project, "in a thread of its own", {
      "books.py": `import threading\n\n\ndef close(account, paid):\n    threading.Thread(target=_close, args=(account, paid)).start()\n    threading.Event().wait(0.05)\n\n\n${text.replace("def close", "def _close")}`,
    }),
    attempt(project, "suppressed", {
      "books.py": `import contextlib\n\n\n@contextlib.suppress(KeyError)\n${text}`,
    }),
    attempt(js, "put off to a promise", {
      "books.js": jsText.replace("export function", "export async function"),
    }),
    attempt(js, "put off to later", {
      "books.js": jsText
        .replace("export function close", "function settle")
        .concat(
          "\nexport const close = (account, paid) => void Promise.resolve().then(() => settle(account, paid)).catch(() => {});\n",
        ),
    }),
    attempt(js, "an optional chain alone", {
      "books.js": jsText.replace("account.owner.name", "account.owner?.name"),
    }),
  ];
}

/** One of the two things that a statement asks for, and a symptom that is repaired where it shows. */
function halves(): ForgingRun[] {
  const statement =
    "`fee` charges 2 for each kilogram above the second and has to charge 3, and it has to raise ValueError for a weight below zero";
  const two: Project = { ...pytest, statement };
  const invoice: Project = {
    ...pytest,
    statement:
      "`fee` is too low for heavy parcels: each kilogram above the second costs 2, where it has to cost 3, so that invoices come out too low",
    files: {
      ...pytest.files,
      "invoice.py":
        'from shipping import fee\n\n\ndef invoice(weights):\n    """The sum of all fees."""\n    return sum(fee(weight) for weight in weights)\n',
      "tests/test_shipping.py":
        "from invoice import invoice\n\n\ndef test_invoice():\n    assert invoice([7]) == 15\n",
    },
  };
  const empty: Project = {
    ...pytest,
    statement:
      "`amounts` raises ValueError for a line without a number; such lines have to be left out, and all others kept",
    files: {
      "pytest.ini": pytest.files["pytest.ini"] ?? "",
      "lines.py":
        'def amounts(text):\n    """All numbers, one a line."""\n    return [int(line) for line in text.splitlines()]\n',
      "tests/test_lines.py":
        'from lines import amounts\n\n\ndef test_words():\n    assert all(each > 0 for each in amounts("3\\nx\\n5"))\n',
    },
  };
  return [
    attempt(two, "half of what is asked", { "shipping.py": code.replace("* 2\n", "* 3\n") }),
    honest(
      two,
      {
        "shipping.py": code
          .replace("* 2\n", "* 3\n")
          .replace(
            "    if weight <= 2",
            '    if weight < 0:\n        raise ValueError("below zero")\n    if weight <= 2',
          ),
      },
      {},
      ", both halves",
    ),
    attempt(invoice, "the symptom at the caller", {
      "invoice.py": (invoice.files["invoice.py"] ?? "").replace(
        "fee(weight) for",
        "fee(weight) * 3 // 2 for",
      ),
    }),
    attempt(empty, "nothing at all", {
      "lines.py":
        'def amounts(text):\n    """All numbers, one a line."""\n    try:\n        return [int(line) for line in text.splitlines()]\n    except ValueError:\n        return []\n',
    }),
    attempt(empty, "none is ever made", {
      "lines.py":
        'def amounts(text):\n    """All numbers, one a line."""\n    return filter(None, map(int, filter(str.isnumeric, text)))\n',
    }),
    honest(
      empty,
      {
        "lines.py":
          'def amounts(text):\n    """All numbers, one a line."""\n    return [int(line) for line in text.splitlines() if line.strip().lstrip("-").isdigit()]\n',
      },
      {},
      ", lines",
    ),
  ];
}
