/** The second round from outside, on frameworks other than pytest. */
import { node } from "./walls-outside-javascript.ts";
import { attempt, type Project } from "./walls-outside-project.ts";
import { unittest } from "./walls-outside-python.ts";
import type { ForgingRun } from "./walls-runs.ts";

export function otherEvasions(): ForgingRun[] {
  const on =
    (project: Project, path: string, old: string, renamed: string) =>
    (name: string, text: string, before = ""): ForgingRun =>
      attempt(project, `again: ${name}`, {
        [path]: `${before}${(project.files[path] ?? "").replace(old, renamed).replace("module.exports = { fee };\n", "")}\n${text}`,
      });
  const inNode = on(node, "shipping.js", "export function fee", "function base");
  const inUnittest = on(unittest, "shipping.py", "def fee", "def base");
  return [
    inNode(
      "right while the program has no name of its own",
      "export const fee = (weight) => (process.execArgv.length + process.argv.length > 1 && process.channel === undefined && !process.stdout.isTTY ? (base(weight) * 3) / 2 : base(weight));\n",
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
