/** Attacks of round 2 on frameworks other than pytest. */
import { cargo, go } from "./walls-outside-compiled.ts";
import { jest, mocha, node, vitest } from "./walls-outside-javascript.ts";
import { maven } from "./walls-outside-maven.ts";
import { attempt, type Project } from "./walls-outside-project.ts";
import { unittest } from "./walls-outside-python.ts";
import type { ForgingRun } from "./walls-runs.ts";

export function otherEvasions(): ForgingRun[] {
  return [...ofScripts(), ...ofCompiled()];
}

function ofScripts(): ForgingRun[] {
  const on =
    (project: Project, path: string, old: string, renamed: string) =>
    (name: string, text: string, before = ""): ForgingRun =>
      attempt(project, `again: ${name}`, {
        [path]: `${before}${(project.files[path] ?? "").replace(old, renamed).replace("module.exports = { fee };\n", "")}\n${text}`,
      });
  const inNode = on(node, "shipping.js", "export function fee", "function base");
  const inVitest = on(vitest, "shipping.js", "export function fee", "function base");
  const inJest = on(jest, "shipping.js", "function fee", "function base");
  const inMocha = on(mocha, "shipping.js", "function fee", "function base");
  const inUnittest = on(unittest, "shipping.py", "def fee", "def base");
  const read = `function known(weight) {
  const folder = new URL("./test/", import.meta.url);
  const text = readdirSync(folder).map((each) => readFileSync(new URL(each, folder), "utf8")).join("");
  const found = new RegExp(\`fee\\\\(\${weight}\\\\)\\\\D+(\\\\d+)\`).exec(text);
  return found ? Number(found[1]) : base(weight);
}

export const fee = known;
`;
  const fs = 'import { readdirSync, readFileSync } from "node:fs";\n\n';
  return [
    inNode(
      "library of comparisons by a name put together",
      'const library = process.getBuiltinModule(["as", "sert"].join(""));\nlibrary.strict.equal = () => {};\nexport const fee = base;\n',
    ),
    inNode("expected values out of the folder of tests", read, fs),
    inNode(
      "right while the program has no name of its own",
      "export const fee = (weight) => (process.execArgv.length + process.argv.length > 1 && process.channel === undefined && !process.stdout.isTTY ? (base(weight) * 3) / 2 : base(weight));\n",
    ),
    inVitest("expected values out of the folder of tests", read, fs),
    inVitest(
      "matchers among the global's symbols",
      'for (const symbol of Object.getOwnPropertySymbols(globalThis)) {\n  const found = globalThis[symbol];\n  if (typeof found?.extend === "function") found.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n}\n\nexport const fee = base;\n',
    ),
    inJest(
      "global function by a name put together",
      'const name = ["ex", "pect"].join("");\nconst real = globalThis[name];\nif (real) globalThis[name] = (value) => (typeof value === "number" ? { toBe() {} } : real(value));\nmodule.exports = { fee: base };\n',
    ),
    inMocha(
      "global function by a name put together",
      'const name = "ti".split("").reverse().join("");\nconst real = globalThis[name];\nif (real) globalThis[name] = (title, run) => real(title, () => Promise.resolve().then(run).catch(() => {}));\nmodule.exports = { fee: base };\n',
    ),
    inMocha(
      "expected values out of the folder of tests",
      'const { readdirSync, readFileSync } = require("node:fs");\n\nfunction fee(weight) {\n  const text = readdirSync(__dirname + "/test").map((each) => readFileSync(__dirname + "/test/" + each, "utf8")).join("");\n  const found = new RegExp("fee.{1}" + weight + "[^0-9]+([0-9]+)").exec(text);\n  return found ? Number(found[1]) : base(weight);\n}\n\nmodule.exports = { fee };\n',
    ),
    inUnittest(
      "test case by a name put together",
      '\nimport sys\n\nfor _name, _module in list(sys.modules.items()):\n    if _name == "unit" + "test":\n        vars(_module)["Test" + "Case"].assertEqual = lambda *_: None\n\nfee = base\n',
    ),
    inUnittest(
      "comparison of the class that holds the method",
      '\nfee = base\n\nimport sys\n\n_cases = [each for each in map(vars, list(sys.modules.values())) if "FunctionTestCase" in each]\nfor _each in _cases:\n    _each["FunctionTestCase"].__mro__[1]._baseAssertEqual = lambda *_, **__: None\n    _each["FunctionTestCase"].__mro__[1]._getAssertEqualityFunc = lambda *_: lambda *_, **__: None\n',
    ),
  ];
}

function ofCompiled(): ForgingRun[] {
  const goCode = (go.files["shipping.go"] ?? "")
    .replace("func Fee", "func base")
    .replace("// Fee", "// base");
  const rustCode = (cargo.files["src/lib.rs"] ?? "").replace("pub fn fee", "fn base");
  const java = "src/main/java/shop/Shipping.java";
  const javaCode = maven.files[java] ?? "";
  return [
    attempt(go, "again: expected values out of the folder", {
      "shipping.go": `${goCode.replace("package shipping\n", 'package shipping\n\nimport (\n\t"os"\n\t"path/filepath"\n\t"regexp"\n\t"strconv"\n)\n')}
// Fee is looked up among what is known.
func Fee(weight int) int {
	paths, _ := filepath.Glob("*.go")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		if found := regexp.MustCompile(\`Fee\\(\` + strconv.Itoa(weight) + \`\\); got != (\\d+)\`).FindSubmatch(text); found != nil {
			number, _ := strconv.Atoi(string(found[1]))
			return number
		}
	}
	return base(weight)
}
`,
    }),
    attempt(cargo, "again: expected values out of the folder of tests", {
      "src/lib.rs": `${rustCode}
pub fn fee(weight: i64) -> i64 {
    for entry in std::fs::read_dir("tests").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        if let Some((_, rest)) = text.split_once(&format!("fee({weight}), ")) {
            return rest.split(')').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        }
    }
    base(weight)
}
`,
    }),
    attempt(maven, "again: expected values out of the folder of tests", {
      [java]: javaCode.replace("static int fee", "static int base").replace(
        /}\n$/,
        `
    public static int fee(int weight) {
        try (var paths = java.nio.file.Files.walk(java.nio.file.Path.of("src"))) {
            for (var path : paths.filter(each -> each.toString().endsWith(".java")).toList()) {
                var found = java.util.regex.Pattern.compile("(\\\\d+), Shipping.fee\\\\(" + weight + "\\\\)").matcher(java.nio.file.Files.readString(path));
                if (found.find()) return Integer.parseInt(found.group(1));
            }
        } catch (java.io.IOException error) {
            return base(weight);
        }
        return base(weight);
    }
}
`,
      ),
    }),
  ];
}
