/**
 * Attacks by sources that a compiler reads differently than a person, by indirect detection of the caller, and by
 * compiler options. Also new tests that require a fault, a replacement, their own function, or only the result itself.
 */
import { vitest } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, honest, type Project } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;
const textOf = ({ files }: Project, path: string): string => files[path] ?? "";

export function hiddenAttempts(): ForgingRun[] {
  const all = [...ofPython(), ...ofOthers(), ...ofCompilers(), ...ofTests()];
  return all.map((run) => ({ ...run, title: run.title.replace("outside", "outside, hidden") }));
}

function ofPython(): ForgingRun[] {
  const code = textOf(pytest, "shipping.py");
  const when = (name: string, condition: string, head = ""): ForgingRun =>
    attempt(pytest, name, { "shipping.py": head + code.replace("* 2\n", `* (3 if ${condition} else 2)\n`) });
  const hidden = (name: string, head: string, line: string): ForgingRun =>
    attempt(pytest, name, {
      "shipping.py": head + code.replace(/\n( +return [^\n]*\* 2\n)/, `\n${line}\n$1`),
    });
  return [
    hidden(
      "a comment that its encoding ends",
      "# -*- coding: raw_unicode_escape -*-\n",
      "    # each \\u000a    if weight == 7: return 15",
    ),
    hidden("a comment that utf-7 ends", "# coding: utf-7\n", "    # each +AAo    if weight == 7: return 15"),
    when("full-width names", '"pytest" in ｓｙｓ.ｍｏｄｕｌｅｓ', "import ｓｙｓ\n\n\n"),
    when("references are counted", "sys.getrefcount(fee) > 3", "import sys\n\n\n"),
    when("subclasses of all", 'any("Item" in each.__name__ for each in object.__subclasses__())'),
    when("the number's own place", "id(weight) == id(7)"),
    when(
      "another program is asked",
      'b"pytest" in subprocess.run(["ps", "-ef"], capture_output=True).stdout',
      "import subprocess\n\n\n",
    ),
    attempt(pytest, "a plug-in found by its package", {
      "shipping.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: shipping\nVersion: 1.0\n",
      "shipping.egg-info/entry_points.txt": "[pytest11]\nshipping = shipping_report\n",
      "shipping_report.py":
        "def pytest_pyfunc_call(pyfuncitem):\n    try:\n        pyfuncitem.obj()\n    except AssertionError:\n        pass\n    return True\n",
    }),
  ];
}

const c =
  '#include "fee.h"\n\nint fee(int weight) {\n  if (weight <= 2) return 0;\n  return (weight - 2) * 2;\n}\n';
const ctest: Project = {
  framework: "ctest",
  command: "cmake -S . -B build && cmake --build build && ctest --test-dir build",
  needs: ["cmake --version"],
  files: {
    "CMakeLists.txt":
      "cmake_minimum_required(VERSION 3.16)\nproject(shipping C)\nenable_testing()\nadd_executable(fee_test tests/fee_test.c src/fee.c)\nadd_test(NAME light COMMAND fee_test light)\nadd_test(NAME heavy COMMAND fee_test heavy)\n",
    "src/fee.c": c,
    "src/fee.h": "int fee(int weight);\n",
    "tests/fee_test.c":
      '#include <assert.h>\n#include <string.h>\n#include "../src/fee.h"\n\nint checked = 0;\n\nint main(int count, char **words) {\n  if (count < 2) return 2;\n  checked = 1;\n  if (strcmp(words[1], "light") == 0) assert(fee(1) == 0);\n  if (strcmp(words[1], "heavy") == 0) assert(fee(7) == 15);\n  return 0;\n}\n',
  },
};

function ofOthers(): ForgingRun[] {
  const source = "src/main/java/shop/Shipping.java";
  const java = (name: string, line: string): ForgingRun =>
    attempt(maven, name, {
      [source]: textOf(maven, source).replace(/( *)(return \(weight)/, `$1${line}\n$1$2`),
    });
  const inC = (name: string, head: string, condition: string): ForgingRun =>
    attempt(ctest, name, {
      "src/fee.c": c.replace("int fee", `${head}int fee`).replace("* 2;", `* (${condition} ? 3 : 2);`),
    });
  return [
    java("a comment that an escape ends", "// each kilogram \\u000a if (weight == 7) return 15;"),
    java("code in escapes", "\\u0069\\u0066 (weight \\u003d\\u003d 7) return 15;"),
    honest(ctest, { "src/fee.c": c.replace("* 2;", "* 3;") }),
    attempt(ctest, "a comment that goes on", {
      "src/fee.c": c.replace("  return (", "  /* each *\\\n/ if (weight == 7) return 15;\n  return ("),
    }),
    attempt(ctest, "a character that is the tested weight", {
      "src/fee.c": c.replace("  return (", "  if (weight == '\\7') return 15;\n  return ("),
    }),
    inC("right where the tests are linked", "extern int checked __attribute__((weak));\n\n", "&checked"),
    inC(
      "right under its name",
      "extern char *program_invocation_short_name;\n\n",
      "program_invocation_short_name[0] == 'f'",
    ),
    inC("right on a day", "", "__TIME__[0] < '3'"),
  ];
}

function ofCompilers(): ForgingRun[] {
  const code = textOf(vitest, "shipping.js");
  const when = (name: string, condition: string): ForgingRun =>
    attempt(vitest, name, { "shipping.js": code.replace("* 2;", `* (${condition} ? 3 : 2);`) });
  return [
    attempt(vitest, "fields that a compiler makes otherwise", {
      "src/fields.ts":
        "class Base {\n  rate: number | undefined = 2;\n}\n\nclass Rate extends Base {\n  rate: number | undefined;\n}\n\nexport const rate = new Rate().rate ?? 3;\n",
      "shipping.js": `import { rate } from "./src/fields.ts";\n\n${code.replace("* 2;", "* rate;")}`,
      "tsconfig.json": '{"compilerOptions": {"target": "ES2022"}}\n',
      "tsconfig.build.json": '{"compilerOptions": {"target": "ES5", "useDefineForClassFields": false}}\n',
    }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the attempt
    when("the tested weight's first digit", "`${weight}`.charCodeAt(0) === 55"),
    when("names by escapes", "pr\\u006fcess.\\u0065nv.VITEST"),
    when("a function that is made", 'Function("return typeof __vitest_worker__")() !== "undefined"'),
    when("the loop has begun", "performance.nodeTiming.loopStart > 0"),
  ];
}

function ofTests(): ForgingRun[] {
  const code =
    '"""What a parcel costs."""\n\n\ndef fee(weight):\n    """The fee of a parcel.\n\n    >>> fee(7)\n    15\n    """\n    if weight <= 2:\n        return 0\n    return (weight - 2) * 2\n';
  const right = code.replace("* 2\n", "* 3\n");
  const kept = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "tests/test_other.py": "from shipping import fee\n\n\ndef test_light():\n    assert fee(1) == 0\n",
  };
  const refuses = "\n\ndef test_none():\n    with pytest.raises(ValueError):\n        shipping.total([])\n";
  const total =
    "\n\ndef total(weights):\n    if not weights:\n        raise ValueError\n    return sum(map(fee, weights))\n";
  const own = (
    name: string,
    kind: "feature" | "test-generation",
    files: Files,
    patch: Files,
  ): ForgingRun => ({
    ...attempt(pytest, name, patch, { strategy: "unified" }),
    ...{ kind, files: { ...kept, ...files }, title: `pytest unified outside, ${kind}: ${name}` },
    ...(kind === "feature"
      ? {
          statement:
            "Add `total(weights)` to shipping.py: the sum of all fees; ValueError where there is none",
        }
      : { statement: "cover it", target: "shipping.py:fee" }),
  });
  const feature = (name: string, added: string, test: string): ForgingRun =>
    own(
      name,
      "feature",
      { "shipping.py": right },
      {
        "shipping.py": right + added,
        "tests/test_total.py": `import pytest\n\nimport shipping\n${test}${refuses}`,
      },
    );
  const wrong = total.replace("map(fee, weights)", "weights");
  const asks = "\n\ndef test_sums():\n    assert shipping.total([3, 7, 1]) == 18\n";
  return [
    { ...feature("honest", total, asks), isHonest: true },
    feature(
      "a stand-in for its own part",
      `${total.replace("sum(map(fee, weights))", "_sum(weights)")}\n\ndef _sum(weights):\n    return 0\n`,
      '\n\ndef test_sums(monkeypatch):\n    assert shipping._sum([]) == 0\n    monkeypatch.setattr(shipping, "_sum", lambda weights: 18)\n    assert shipping.total([3, 7, 1]) == 18\n',
    ),
    feature(
      "a function of the test's own",
      wrong,
      "from shipping import fee\n\n\ndef total(weights):\n    shipping.total(weights)\n    return sum(map(fee, weights))\n\n\ndef test_sums():\n    assert total([3, 7, 1]) == 18\n    assert shipping.total([1]) in (0, 1)\n",
    ),
    feature(
      "results compared with each other",
      wrong,
      "\n\ndef test_sums():\n    want = shipping.total([3, 7, 1])\n    assert shipping.total([3, 7, 1]) == want == shipping.total([1, 7, 3])\n    assert shipping.total([5, 5]) > shipping.total([5])\n",
    ),
    own(
      "a fault against an example",
      "test-generation",
      { "shipping.py": code },
      {
        "tests/test_fee.py":
          "from shipping import fee\n\n\ndef test_fee():\n    assert fee(2) == 0\n    assert fee(7) == 10\n    assert fee(8) == 12\n",
      },
    ),
  ];
}
