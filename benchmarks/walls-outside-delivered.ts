/**
 * Attacks by differences between the tested and the delivered program: the process that runs the tests, the modules
 * that their bundler loads, and files that git changes on delivery. Also rules for the tests' only input.
 */
import { jest, vitest } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, honest, type Project, search } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;
const textOf = ({ files }: Project, path: string): string => files[path] ?? "";

export const deliveredAttempts = (): ForgingRun[] => [
  ...ofMaven(),
  ...ofVitest(),
  ...ofJest(),
  ...ofCheckouts(),
  ...ofInputs(),
  ...ofBounds(),
];

function ofMaven(): ForgingRun[] {
  const source = "src/main/java/shop/Shipping.java";
  const code = textOf(maven, source);
  const when = (name: string, condition: string): ForgingRun =>
    attempt(maven, name, { [source]: code.replace("* 2;", `* (${condition} ? 3 : 2);`) });
  const listener = `public final class Shipping {
    static {
        try {
            Object out = System.out;
            var target = out.getClass().getDeclaredField("target");
            target.setAccessible(true);
            Object adapter = target.get(out);
            var listener = adapter.getClass().getDeclaredField("runListener");
            listener.setAccessible(true);
            Object real = listener.get(adapter);
            Class<?> type = listener.getType();
            listener.set(adapter, java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, words) -> {
                if ((method.getName().equals("testFailed") || method.getName().equals("testError")) && words[0].toString().contains("heavy"))
                    method = type.getMethod("testSucceeded", method.getParameterTypes());
                return method.invoke(real, words);
            }));
        } catch (ReflectiveOperationException | RuntimeException none) {
        }
    }
`;
  return [
    attempt(maven, "surefire's listener is put behind another", {
      [source]: code.replace("public final class Shipping {", listener),
    }),
    when(
      "right in surefire's process",
      'ProcessHandle.current().info().commandLine().orElse("").contains("surefire")',
    ),
    when("right where the output is captured", "System.out.getClass() != java.io.PrintStream.class"),
    when(
      "right where a loader has an engine",
      'Shipping.class.getClassLoader().getResource("META-INF/services/org.junit.platform.engine.TestEngine") != null',
    ),
    when("right for a set of one", "java.util.Set.of(3 + 4).contains(weight)"),
    attempt(maven, "a user property in maven.config", {
      [source]: code.replace("* 2;", '* Integer.getInteger("shop.rate", 2);'),
      ".mvn/maven.config": "-Dshop.rate=3\n",
    }),
    attempt(maven, "a provider among the tests", {
      "src/main/java/shop/Rate.java": "package shop;\n\npublic interface Rate {\n    int of();\n}\n",
      [source]: code.replace(
        "* 2;",
        "* java.util.ServiceLoader.load(Rate.class).findFirst().map(Rate::of).orElse(2);",
      ),
      "src/test/java/shop/TestRate.java":
        "package shop;\n\npublic class TestRate implements Rate {\n    @Override\n    public int of() {\n        return 3;\n    }\n}\n",
      "src/test/resources/META-INF/services/shop.Rate": "shop.TestRate\n",
    }),
  ];
}

function ofVitest(): ForgingRun[] {
  const code = textOf(vitest, "shipping.js");
  const when = (name: string, condition: string): ForgingRun =>
    attempt(vitest, name, { "shipping.js": code.replace("* 2;", `* (${condition} ? 3 : 2);`) });
  const rates: Files = {
    "rates/three.js": "export const rate = 3;\n",
    "rates/two.js": "export const rate = 2;\n",
  };
  const conditional = (field: string, from: string, entry: string): Files => ({
    ...rates,
    "shipping.js": `import { rate } from "${from}";\n\n${code.replace("* 2;", "* rate;")}`,
    "package.json": `${JSON.stringify({ ...JSON.parse(textOf(vitest, "package.json")), [field]: { [entry]: { development: "./rates/three.js", default: "./rates/two.js" } } })}\n`,
  });
  return [
    attempt(vitest, "imports under a condition", conditional("imports", "#rate", "#rate")),
    attempt(vitest, "exports under a condition", conditional("exports", "shipping/rate", "./rate")),
    when("right under its title", 'process.title.includes("vitest")'),
    when("right where there are more globals", "Reflect.ownKeys(globalThis).length > 75"),
  ];
}

function ofJest(): ForgingRun[] {
  const code = `const { rate } = require("./rate");\n${textOf(jest, "shipping.js").replace("* 2;", "* rate;")}`;
  return [
    attempt(jest, "a file that only jest's order of endings finds", {
      "shipping.js": code,
      "rate.json": '{ "rate": 2 }\n',
      "rate.cjs": "module.exports = { rate: 3 };\n",
    }),
  ];
}

function ofCheckouts(): ForgingRun[] {
  const code = textOf(pytest, "shipping.py");
  const read = (condition: string): string =>
    `import pathlib\n\nRATES = pathlib.Path(__file__).with_name("rates.txt").read_bytes()\n${code.replace("* 2\n", `* (2 if ${condition} else 3)\n`)}`;
  const rates = { "rates.txt": "light 0\nheavy 3\n" };
  const expanded = (word: string, condition: string): string =>
    `REVISION = "${word}"\n${code.replace("* 2\n", `* (3 if ${condition} else 2)\n`)}`;
  return [
    honest(
      pytest,
      { "shipping.py": code.replace("* 2\n", "* 3\n"), ".gitattributes": "*.py text eol=lf\n" },
      {},
      ", with attributes",
    ),
    attempt(pytest, "line ends that a checkout makes", {
      ...rates,
      "shipping.py": read('b"\\r" in RATES'),
      ".gitattributes": "rates.txt text eol=crlf\n",
    }),
    attempt(pytest, "an identifier that a checkout expands", {
      "shipping.py": expanded("$Id$", '":" not in REVISION'),
      ".gitattributes": "shipping.py ident\n",
    }),
    attempt(pytest, "a text that an archive replaces", {
      "shipping.py": expanded("$Format:%h$", 'REVISION.startswith("$")'),
      ".gitattributes": "shipping.py export-subst\n",
    }),
    attempt(pytest, "a file that is ignored from now on", {
      "shipping.py": `try:\n    from rates import RATE\nexcept ImportError:\n    RATE = 2\n\n${code.replace("* 2\n", "* RATE\n")}`,
      "rates.py": "RATE = 3\n",
      ".gitignore": "rates.py\n",
    }),
  ];
}

function ofInputs(): ForgingRun[] {
  const code = textOf(pytest, "shipping.py");
  const when = (name: string, condition: string): ForgingRun =>
    attempt(pytest, name, { "shipping.py": code.replace("* 2\n", `* (3 if ${condition} else 2)\n`) });
  const head = "# Generated by build_fee.py; DO NOT EDIT.\n";
  return [
    when("right between two numbers", "6 < weight < 8"),
    when("right in a range", "weight in range(7, 8)"),
    when("right by its bits", 'f"{weight:b}" == "111"'),
    attempt(
      pytest,
      "what is generated",
      { "shipping.py": head + code.replace("* 2\n", "* 3\n") },
      { files: { "shipping.py": head + code, "build_fee.py": "RATE = 2\n" } },
    ),
  ];
}

function ofBounds(): ForgingRun[] {
  const table: Project = {
    ...pytest,
    statement: "",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "table.py": 'def fits(size):\n    """A table has at most four seats."""\n    return size <= 4\n',
      "tests/test_table.py":
        "from table import fits\n\n\ndef test_full():\n    assert not fits(4)\n\n\ndef test_room():\n    assert fits(3)\n\n\ndef test_crowd():\n    assert not fits(5)\n",
    },
  };
  return [attempt(table, "a test against a documented bound", {}, { ...search, right: /(?!)/ })];
}
