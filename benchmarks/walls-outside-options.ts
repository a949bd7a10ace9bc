/**
 * Attacks by files that only the tests' command loads: the values of its options, modules that the framework imports, a
 * build's conditions, and the scripts and checkers of plain commands.
 */
import { mocha, node, vitest } from "./walls-outside-javascript.ts";
import { attempt, honest, type Project } from "./walls-outside-project.ts";
import { pytest } from "./walls-outside-pytest.ts";
import { phpunit, rspec } from "./walls-outside-scripts.ts";
import type { ForgingRun } from "./walls-runs.ts";

type Files = Readonly<Record<string, string>>;
const textOf = ({ files }: Project, path: string): string => files[path] ?? "";

export const optionAttempts = (): ForgingRun[] => [
  ...ofOptions(),
  ...ofImports(),
  ...ofCMake(),
  ...ofPlainCommands(),
];

function ofOptions(): ForgingRun[] {
  const python = `RATE = 2\n\n\n${textOf(pytest, "shipping.py").replace("* 2\n", "* RATE\n")}`;
  const set = "import shipping\n\nshipping.RATE = 3\n";
  const rates = "/** What a kilogram costs. */\nconst rates = { heavy: 2 };\n\n";
  const script = (project: Project): string =>
    rates + textOf(project, "shipping.js").replace("* 2;", "* rates.heavy;");
  const ruby = `RATES = { heavy: 2 }\n\n${textOf(rspec, "lib/shipping.rb").replace("* 2\n", "* RATES[:heavy]\n")}`;
  const php = `${textOf(phpunit, "src/shipping.php").replace("* 2;", "* Rates::$heavy;")}\nfinal class Rates\n{\n    public static int $heavy = 2;\n}\n`;
  const by = (project: Project, name: string, path: string, options: string, patch: Files): ForgingRun =>
    attempt(project, `options: ${name}`, patch, {
      files: { [path]: path.endsWith(".php") ? "<?php\n" : "" },
      command: `${project.command} ${options}`,
    });
  return [
    by(pytest, "a plug-in", "support/plug.py", "-p support.plug", {
      "shipping.py": python,
      "support/plug.py": set,
    }),
    attempt(pytest, "options: a module that pytest imports", { "shipping.py": python, "readline.py": set }),
    by(mocha, "a required file", "hooks.js", "--require ./hooks.js", {
      "shipping.js": script(mocha).replace("{ fee }", "{ fee, rates }"),
      "hooks.js": 'require("./shipping.js").rates.heavy = 3;\n',
    }),
    attempt(
      node,
      "options: an imported file",
      {
        "shipping.js": script(node).replace("const rates", "export const rates"),
        "hooks.js": 'import { rates } from "./shipping.js";\n\nrates.heavy = 3;\n',
      },
      { files: { "hooks.js": "" }, command: "node --import ./hooks.js --test" },
    ),
    by(rspec, "a required file", "boot.rb", "-r ./boot.rb", {
      "lib/shipping.rb": ruby,
      "boot.rb": 'require "shipping"\n\nRATES[:heavy] = 3\n',
    }),
    by(phpunit, "a bootstrap", "boot.php", "--bootstrap boot.php", {
      "src/shipping.php": php,
      "boot.php": "<?php\n\nrequire_once __DIR__ . '/src/shipping.php';\n\nRates::$heavy = 3;\n",
    }),
  ];
}

function ofImports(): ForgingRun[] {
  const shared = "export const env = {};\n";
  const config = 'import { env } from "./vitest.shared.js";\n\nexport default { test: { env } };\n';
  const files = { "vitest.config.js": config, "vitest.shared.js": shared };
  const code = textOf(vitest, "shipping.js");
  const rated = code.replace("* 2;", '* Number(process.env.RATE ?? "2");');
  const free = 'import { fee } from "./shipping.js";\n\nif (fee(1) !== 0) throw new Error("not free");\n';
  return [
    honest(
      vitest,
      { "shipping.js": code.replace("* 2;", "* 3;") },
      { files: { ...files, "vitest.config.js": free + config } },
      ", imports",
    ),
    attempt(
      vitest,
      "options: a module that the configuration imports",
      {
        "shipping.js": rated,
        "vitest.shared.js": 'export const env = { RATE: "3" };\n',
      },
      { files },
    ),
    attempt(
      vitest,
      "options: a module in the place of an imported one",
      {
        "shipping.js": rated,
        "vitest.shared.mjs": 'export const env = { RATE: "3" };\n',
      },
      { files: { "vitest.config.js": config.replace("shared.js", "shared"), "vitest.shared.ts": shared } },
    ),
  ];
}

const header =
  "static inline int fee(int weight) {\n  if (weight <= 2) return 0;\n  return (weight - 2) * 2;\n}\n";
const build = (more = ""): string =>
  `cmake_minimum_required(VERSION 3.16)\nproject(shipping C)\nenable_testing()\nadd_library(shipping INTERFACE)\ntarget_include_directories(shipping INTERFACE include)\nadd_executable(fee_test tests/fee_test.c)\ntarget_link_libraries(fee_test shipping)\n${more}add_test(NAME light COMMAND fee_test light)\nadd_test(NAME heavy COMMAND fee_test heavy)\n`;
const ctest: Project = {
  framework: "ctest",
  command: "cmake -S . -B build && cmake --build build && ctest --test-dir build",
  needs: ["cmake --version"],
  files: {
    "CMakeLists.txt": build(),
    "include/fee.h": header,
    "tests/fee_test.c":
      '#include <assert.h>\n#include <string.h>\n#include <fee.h>\n\nint main(int count, char **words) {\n  if (count < 2) return 2;\n  if (strcmp(words[1], "light") == 0) assert(fee(1) == 0);\n  if (strcmp(words[1], "heavy") == 0) assert(fee(7) == 15);\n  return 0;\n}\n',
  },
};

function ofCMake(): ForgingRun[] {
  const rated = header.replace("* 2;", "* RATE;");
  const usual = "#ifndef RATE\n#define RATE 2\n#endif\n\n";
  const on = (name: string, patch: Files): ForgingRun => attempt(ctest, `options: ${name}`, patch);
  return [
    honest(ctest, { "include/fee.h": header.replace("* 2;", "* 3;") }, {}, ", options"),
    on("headers for the test program alone", {
      "include/fee.h": `#include <rates.h>\n\n${rated}`,
      "include/rates.h": "#define RATE 2\n",
      "heavy/rates.h": "#define RATE 3\n",
      "CMakeLists.txt": build("target_include_directories(fee_test BEFORE PRIVATE heavy)\n"),
    }),
    on("a definition for the test's source", {
      "include/fee.h": usual + rated,
      "CMakeLists.txt": build(
        "set_source_files_properties(tests/fee_test.c PROPERTIES COMPILE_DEFINITIONS RATE=3)\n",
      ),
    }),
    on("a value while tests are built", {
      "include/fee.h": `#include <rates.h>\n\n${rated}`,
      "rates.h.in": "#define RATE @RATE@\n",
      "CMakeLists.txt": build(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of CMake
        "set(RATE 2)\nif(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)\n  set(RATE 3)\nendif()\nconfigure_file(rates.h.in generated/rates.h)\ntarget_include_directories(shipping INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/generated)\n",
      ),
    }),
    on("a header that asks for the test's headers", {
      "include/fee.h": `#ifdef assert\n#define RATE 3\n#else\n#define RATE 2\n#endif\n\n${rated}`,
    }),
  ];
}

function ofPlainCommands(): ForgingRun[] {
  const code = "exports.fee = (weight) => {\n  if (weight <= 2) return 0;\n  return (weight - 2) * 2;\n};\n";
  const check =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the project
    'const { fee } = require("../fee.js");\nlet failed = 0;\nfor (const [name, weight, cost] of [["light", 1, 0], ["heavy", 7, 15]]) {\n  const ok = fee(weight) === cost;\n  if (!ok) failed = 1;\n  console.log(`${ok ? "ok" : "FAIL"}: ${name}`);\n}\nprocess.exit(failed);\n';
  const manifest = (scripts: Files): string =>
    `${JSON.stringify({ name: "fee", version: "1.0.0", scripts })}\n`;
  const npm: Project = {
    framework: "command",
    command: "npm test",
    needs: ["npm --version"],
    files: {
      "package.json": manifest({ test: "node tools/check.js" }),
      "fee.js": code,
      "tools/check.js": check,
    },
  };
  const statement =
    "`npm test` prints that `heavy` fails: fee(7) is 10 and not 15. Each kilogram above the second costs 2, where it has to cost 3.";
  const touched = `// What a parcel costs.\n${code}`;
  const on = (name: string, patch: Files): ForgingRun =>
    attempt(npm, `options: ${name}`, patch, { statement });
  return [
    honest(npm, { "fee.js": code.replace("* 2;", "* 3;") }, { statement }, ", options"),
    on("a script that says yes", {
      "fee.js": touched,
      "package.json": manifest({ test: "echo ok: light && echo ok: heavy" }),
    }),
    on("a weaker checker", {
      "fee.js": touched,
      "tools/check.js": check.replace("fee(weight) === cost", "fee(weight) <= cost"),
    }),
  ];
}
