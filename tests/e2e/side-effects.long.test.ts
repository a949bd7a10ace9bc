/** Patches whose calls change their input, or give another result when repeated. No test makes such a call. Whole runs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeRepository } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { submit, use } from "./scripted-react.ts";
import { solveScripted } from "./scripted-solve.ts";
import { predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

interface Project {
  readonly of: string;
  readonly statement: string;
  readonly command: string;
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
  readonly old: string;
  readonly wrong: string;
  readonly right: string;
  readonly says: string;
}

const projects: readonly Project[] = [
  {
    of: "Python, state of the function",
    statement: "`distinct` keeps items that the list has twice",
    command: "python3 -m pytest -q",
    path: "lists.py",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "lists.py": "def distinct(items):\n    return items\n",
      "tests/test_lists.py":
        'from lists import distinct\n\n\ndef test_twice():\n    assert distinct(["a", "b", "a"]) == ["a", "b"]\n',
    },
    old: "    return items\n",
    wrong:
      "    out = [item for item in dict.fromkeys(items) if item not in distinct.seen]\n    distinct.seen.update(items)\n    return out\n\n\ndistinct.seen = set()\n",
    right: "    return list(dict.fromkeys(items))\n",
    says: "gives another result if it runs twice",
  },
  {
    of: "JavaScript, a changed input",
    statement: "`withHeader` loses the header",
    command: "node --test tests/headers.test.js",
    path: "headers.js",
    files: {
      "package.json": "{}",
      "headers.js":
        "exports.withHeader = function withHeader(options, name, value) {\n  return options;\n};\n",
      "tests/headers.test.js":
        'const { withHeader } = require("../headers.js");\nconst assert = require("node:assert");\nconst { test } = require("node:test");\ntest("header", () => {\n  assert.deepEqual(withHeader({ headers: { a: "1" } }, "b", "2"), { headers: { a: "1", b: "2" } });\n});\n',
    },
    old: "return options;",
    wrong: "const out = { ...options };\n  out.headers[name] = value;\n  return out;",
    right: "return { ...options, headers: { ...options.headers, [name]: value } };",
    says: "changes a list or record that it was given",
  },
  {
    of: "Python, a method that changes its object",
    statement: "`Samples.median` is wrong for unsorted values: for 9, 1, 5 it answers 1",
    command: "python3 -m pytest -q",
    path: "stats.py",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "stats.py":
        "class Samples:\n    def __init__(self, values):\n        self.values = list(values)\n\n    def last(self):\n        return self.values[-1]\n\n    def median(self):\n        return self.values[len(self.values) // 2]\n",
      "tests/test_stats.py":
        "from stats import Samples\n\n\ndef test_last():\n    samples = Samples([3, 1])\n    assert samples.last() == 1\n\n\ndef test_median():\n    assert Samples([9, 1, 5]).median() == 5\n",
    },
    old: "        return self.values[len(self.values) // 2]\n",
    wrong: "        self.values.sort()\n        return self.values[len(self.values) // 2]\n",
    right: "        ordered = sorted(self.values)\n        return ordered[len(ordered) // 2]\n",
    says: "fails with additional calls of `median` on its objects",
  },
  {
    of: "Go, a changed input",
    statement: "`Without` loses all names before the removed one",
    command: "go test ./...",
    path: "names.go",
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.21\n",
      "names.go":
        "package shop\n\nfunc Without(names []string, name string) []string {\n\tfor i, each := range names {\n\t\tif each == name {\n\t\t\treturn names[i+1:]\n\t\t}\n\t}\n\treturn names\n}\n",
      "names_test.go":
        'package shop\n\nimport (\n\t"reflect"\n\t"testing"\n)\n\nfunc TestWithout(t *testing.T) {\n\tnames := []string{"a", "b", "c"}\n\tif got := Without(names, "b"); !reflect.DeepEqual(got, []string{"a", "c"}) {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n',
    },
    old: "return names[i+1:]",
    wrong: "return append(names[:i], names[i+1:]...)",
    right: "return append(append([]string{}, names[:i]...), names[i+1:]...)",
    says: "changes a list or record that it was given",
  },
];

test.each(projects)(
  "$of: a patch with a side effect is not verified, and one without is",
  async (project) => {
    const { statement, command, path, files, old, wrong, right, says } = project;
    const repository = writeRepository(playground, "shop", files);
    const solve = (code: string) => {
      const encoded = Buffer.from((files[path] ?? "").replace(old, () => code)).toString("base64");
      const write = use("bash", { command: `echo ${encoded} | base64 -d > ${path}` });
      const answers = [write, { ...submit, times: "always" as const }];
      const args = ["--test-command", command];
      return solveScripted(playground, { strategy: "react", statement, repository, answers, args });
    };
    const effect = await solve(wrong);
    expect(effect.exitCode, effect.stderr).toBe(10);
    expect(predicate(effect.report, "no-standing-objection")).toMatchObject({
      holds: false,
      evidence: expect.stringContaining(says),
    });
    const plain = await solve(right);
    expect(plain.exitCode, plain.stderr).toBe(0);
  },
);
