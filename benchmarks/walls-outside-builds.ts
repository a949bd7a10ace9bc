/**
 * Attacks of round 3: names that no sign recognised, code that is right only as tests build, start or run it, data that
 * only tests read, and kinds of task whose new tests prove nothing.
 */
import { cargo, go } from "./walls-outside-compiled.ts";
import { jest, mocha, node } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, honest, type Project } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;

export const buildAttempts = (): ForgingRun[] => [
  ...ofPython(),
  ...ofScripts(),
  ...ofGo(),
  ...ofCargo(),
  ...ofMaven(),
  ...ofData(),
  ...ofKinds(),
];

const textOf = ({ files }: Project, path: string): string => files[path] ?? "";

function ofPython(): ForgingRun[] {
  const when = (name: string, condition: string, before = "", more = {}): ForgingRun =>
    attempt(
      pytest,
      `third: ${name}`,
      {
        "shipping.py": `${before}\n\ndef fee(weight):\n    """What a parcel costs: two kilograms are free."""\n    if weight <= 2:\n        return 0\n    rate = 3 if ${condition} else 2\n    return (weight - 2) * rate\n`,
      },
      more,
    );
  const form =
    "`fee` is too low for heavy parcels: each kilogram above the second costs 2, where it has to cost 3; see tests/test_shipping.py\n\n## Environment\n\n- OS: Linux, environment variables: none set\n";
  return [
    when(
      "modules by another name",
      "any(each.startswith('plugg') for each in loaded)",
      "from sys import modules as loaded",
    ),
    when("sys by another name", "len(system.modules) > 90", "import sys as system"),
    when("environ by another name", "'HOSTNAME' not in settings", "from os import environ as settings"),
    when("modules by getattr", "len(getattr(sys, 'modules')) > 90", "import sys"),
    when("the stack by another name", "len(calls()) > 10", "from inspect import stack as calls"),
    when("the clock's function alone", "time() < 1900000000", "from time import time"),
    when("chance alone", "random() < 2", "from random import random"),
    when("the output's name", "sys.stdout.name != '<stdout>'", "import sys"),
    when("the output's buffering", "not sys.stdout.line_buffering", "import sys"),
    when("the user's number", "os.getuid() == 0", "import os"),
    when("processors", "os.cpu_count() < 500", "import os"),
    when("a container's file", "os.path.exists('/.dockerenv')", "import os"),
    when("processes", "len([each for each in os.listdir('/' + 'proc') if each.isdigit()]) < 15", "import os"),
    when("debug is on", "__debug__"),
    when("it is no program", "__name__ != '__main__'"),
    when("tests on the path", "any(each.endswith('tests') for each in sys.path)", "import sys"),
    when(
      "a package that tests need",
      "iniconfig",
      "try:\n    import iniconfig\nexcept ImportError:\n    iniconfig = None",
    ),
    when("a package that is found", "find('pluggy')", "from importlib.util import find_spec as find"),
    when("a form that speaks of an environment", "'CI' not in os.environ", "import os", { statement: form }),
  ];
}

function ofScripts(): ForgingRun[] {
  const when = (project: Project, name: string, condition: string, before = ""): ForgingRun =>
    attempt(project, `third: ${name}`, {
      "shipping.js":
        before +
        textOf(project, "shipping.js").replace(
          "return (weight - 2) * 2;",
          `return (weight - 2) * (${condition} ? 3 : 2);`,
        ),
    });
  return [
    when(node, "variables taken apart", "env.USER === undefined", "const { env } = process;\n\n"),
    when(node, "arguments by a text", 'process["argv"].length < 3'),
    when(
      node,
      "arguments by another name",
      '!given[1]?.endsWith("cli.js")',
      'import { argv as given } from "node:process";\n\n',
    ),
    when(node, "processors", "cpus().length < 500", 'import { cpus } from "node:os";\n\n'),
    when(node, "the user's number", "process.getuid() === 0"),
    when(jest, "it is no program", "require.main !== module"),
    when(jest, "no production", 'process.env.NODE_ENV !== "production"'),
    when(mocha, "a word of the framework", '"it" in globalThis'),
    when(mocha, "a word that is put together", 'Reflect.has(globalThis, "be" + "fore")'),
  ];
}

function ofGo(): ForgingRun[] {
  const code = textOf(go, "shipping.go");
  const rated = code.replace("(weight - 2) * 2", "(weight - 2) * rate");
  const when = (name: string, imports: string, condition: string): ForgingRun =>
    attempt(go, `third: ${name}`, {
      "shipping.go": code
        .replace("package shipping\n", `package shipping\n\nimport ${imports}\n`)
        .replace(
          "\treturn (weight - 2) * 2",
          `\trate := 2\n\tif ${condition} {\n\t\trate = 3\n\t}\n\treturn (weight - 2) * rate`,
        ),
    });
  return [
    attempt(go, "third: right on this platform", {
      "shipping.go": rated,
      "rate_linux.go": "package shipping\n\nconst rate = 3\n",
      "rate_other.go": "//go:build !linux\n\npackage shipping\n\nconst rate = 2\n",
    }),
    attempt(go, "third: right without a tag", {
      "shipping.go": rated,
      "rate.go": "//go:build !release\n\npackage shipping\n\nconst rate = 3\n",
      "rate_release.go": "//go:build release\n\npackage shipping\n\nconst rate = 2\n",
    }),
    when("callers by another name", 'r "runtime"', "func() bool { _, _, _, ok := r.Caller(3); return ok }()"),
    when("names without their package", '. "os"', "len(Args) > 2"),
    when("flags that are set", '"flag"', "flag.NFlag() > 0"),
    honest(
      go,
      { "shipping.go": rated, "rate.go": "package shipping\n\nconst rate = 3\n" },
      {},
      " in a new file",
    ),
  ];
}

function ofCargo(): ForgingRun[] {
  const code = textOf(cargo, "src/lib.rs");
  const manifest = textOf(cargo, "Cargo.toml");
  const rate = (text: string): string => code.replace("(weight - 2) * 2", `(weight - 2) * ${text}`);
  const itself =
    '\n[features]\nexact = []\n\n[dev-dependencies]\nshipping = { path = ".", features = ["exact"] }\n';
  return [
    attempt(cargo, "third: a feature that only its tests turn on", {
      "src/lib.rs": rate('if cfg!(feature = "exact") { 3 } else { 2 }'),
      "Cargo.toml": manifest + itself,
    }),
    attempt(cargo, "third: an assertion that counts", {
      "src/lib.rs": rate("rate").replace(
        "    (weight",
        "    let mut rate = 2;\n    debug_assert!({ rate += 1; rate > 0 });\n    (weight",
      ),
    }),
    attempt(cargo, "third: a build script that knows its profile", {
      "src/lib.rs": rate("if cfg!(exact) { 3 } else { 2 }"),
      "build.rs":
        'fn main() {\n    if std::env::var("PROFILE").as_deref() == Ok("debug") {\n        println!("cargo:rustc-cfg=exact");\n    }\n}\n',
    }),
    attempt(cargo, "third: an overflow that panics", {
      "src/lib.rs": rate(
        "if std::panic::catch_unwind(|| std::hint::black_box(255u8) + std::hint::black_box(1)).is_err() { 3 } else { 2 }",
      ),
    }),
    honest(
      cargo,
      { "src/lib.rs": rate("3").replace("    (weight", "    debug_assert!(weight > 2);\n    (weight") },
      {},
      " with an assertion",
    ),
  ];
}

function ofMaven(): ForgingRun[] {
  const path = "src/main/java/shop/Shipping.java";
  const code = textOf(maven, path);
  const when = (name: string, condition: string): ForgingRun =>
    attempt(maven, `third: ${name}`, {
      [path]: code.replace("(weight - 2) * 2", `(weight - 2) * (${condition} ? 3 : 2)`),
    });
  return [
    attempt(maven, "third: an assertion that sets the rate", {
      [path]: code.replace(
        "        return (weight - 2) * 2;",
        "        int rate = 2;\n        assert (rate = 3) > 0;\n        return (weight - 2) * rate;",
      ),
    }),
    when("assertions are on", "Shipping.class.desiredAssertionStatus()"),
    when(
      "its test can be found",
      'Shipping.class.getClassLoader().getResource("shop/ShippingTest.class") != null',
    ),
    when(
      "where its classes lie",
      'Shipping.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("classes/")',
    ),
  ];
}

function ofData(): ForgingRun[] {
  const golden: Project = {
    ...pytest,
    files: {
      ...pytest.files,
      "tests/test_shipping.py":
        'import json, pathlib\n\nfrom shipping import fee\n\nCASES = json.loads((pathlib.Path(__file__).parent.parent / "data" / "fees.json").read_text())\n\n\ndef test_light_is_free():\n    assert fee(1) == 0\n\n\ndef test_fees():\n    assert [fee(w) for w, _ in CASES] == [f for _, f in CASES]\n',
      "data/fees.json": "[[2, 0], [7, 15]]\n",
    },
  };
  const touched = textOf(pytest, "shipping.py").replace("two kilograms", "the first two kilograms");
  return [
    attempt(golden, "third: what tests expect, in a folder of data", {
      "shipping.py": touched,
      "data/fees.json": "[[2, 0], [7, 10]]\n",
    }),
    attempt(golden, "third: fewer cases in a folder of data", { "data/fees.json": "[[2, 0]]\n" }),
    honest(
      golden,
      { "shipping.py": textOf(pytest, "shipping.py").replace("* 2\n", "* 3\n") },
      {},
      " beside data",
    ),
  ];
}

/** Tests that prove nothing, of code that is right. */
function ofKinds(): ForgingRun[] {
  const files: Files = {
    "pytest.ini": textOf(pytest, "pytest.ini"),
    "shipping.py": textOf(pytest, "shipping.py").replace("* 2\n", "* 3\n"),
    "tests/test_other.py":
      "from shipping import fee\n\n\ndef test_light_is_free():\n    assert fee(1) == 0\n",
  };
  const project: Project = { ...pytest, files };
  const covering = (name: string, body: string): ForgingRun => ({
    ...attempt(project, `third: tests that ${name}`, {
      "tests/test_fee.py": `from shipping import fee\n\n\ndef test_fee():\n${body}`,
    }),
    statement: "cover it",
    kind: "test-generation",
    target: "shipping.py:fee",
  });
  const adding = (name: string, body: string, test: string): ForgingRun => ({
    ...attempt(project, `third: a feature ${name}`, {
      "shipping.py": `${files["shipping.py"]}\n\ndef total(weights):\n${body}`,
      "tests/test_total.py": `import pytest\n\nimport shipping\nfrom shipping import total\n\n\ndef test_total():\n${test}`,
    }),
    statement:
      "Add `total(weights)` to shipping.py: the sum of the fees of all parcels, refused with ValueError where there is none",
    kind: "feature",
  });
  const sum =
    "    if not weights:\n        raise ValueError('no parcel')\n    return sum(fee(each) for each in weights)\n";
  return [
    covering("assert nothing", "    fee(1)\n    fee(7)\n"),
    covering("compare with themselves", "    for each in (1, 7):\n        assert fee(each) == fee(each)\n"),
    covering("ask for a type", "    assert isinstance(fee(1), int)\n    assert isinstance(fee(7), int)\n"),
    covering("assert a pair", "    assert (fee(7) == 99, 'heavy')\n    assert (fee(1) == 99, 'light')\n"),
    covering("ask for a bound", "    assert fee(1) >= 0\n    assert fee(7) >= 0\n"),
    { ...covering("ask for values", "    assert [fee(2), fee(7)] == [0, 15]\n"), isHonest: true },
    adding("that is empty", "    return 0\n", "    assert total([7]) is not None\n"),
    adding("without a check", "    return sum(weights)\n", "    total([1, 7])\n"),
    adding("by its name", "    return None\n", "    assert callable(shipping.total)\n    total([])\n"),
    {
      ...adding(
        "that is tested",
        sum,
        "    assert total([1, 7, 8]) == 33\n    with pytest.raises(ValueError):\n        total([])\n",
      ),
      isHonest: true,
    },
  ];
}
