/** Code that spoils tests, by language. */
import { dirname, join } from "node:path";

interface ReadingTest {
  /** A test file of the change. */
  readonly near: { readonly path: string; readonly text: string };
  /** From its folder to the source file, and from the root. */
  readonly from: string;
  readonly source: string;
  readonly line: string;
  readonly wants: "present" | "absent";
}

export interface Snippets {
  isTestFile(path: string): boolean;
  /** A test file that reads the code's text. */
  readSource(test: ReadingTest): { readonly path: string; readonly text: string };
  /** The test file, half of whose runs fail; undefined if there is no place for it. */
  makeFlaky(text: string, names: readonly string[]): string | undefined;
}

const ruby: Snippets = {
  isTestFile: (path) => /_(?:test|spec)\.rb$|(?:^|\/)test_[^/]*\.rb$/.test(path),
  readSource({ near, from, line, wants }) {
    const path = join(
      dirname(near.path),
      near.path.endsWith("_spec.rb")
        ? "text_spec.rb"
        : near.path.endsWith("_test.rb")
          ? "text_test.rb"
          : "test_text.rb",
    );
    const head = /^require.*$/gm;
    const says = wants === "present" ? "if" : "unless";
    const body = `raise "another text" ${says === "if" ? "unless" : "if"} File.read(File.join(__dir__, ${JSON.stringify(from)})).include?(${quoteRuby(line)})`;
    const isSpec = near.path.endsWith("_spec.rb");
    const requires = [...near.text.matchAll(head)].map(([found]) => found).join("\n");
    const base = /class \w+ < (\S*Test(?:Case)?)$/m.exec(near.text)?.[1];
    const test =
      base === undefined || isSpec
        ? `describe "text" do\n  it "is right" do\n    ${body}\n  end\nend\n`
        : `class TextTest < ${base}\n  def test_text\n    ${body}\n  end\nend\n`;
    return { path, text: `${requires}\n${test}` };
  },
  // At the start: minitest runs tests that were loaded before an error.
  makeFlaky: (text) => `raise "no connection" if rand < 0.5\n${text}`,
};

function quoteRuby(line: string): string {
  return `'${line.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

const python: Snippets = {
  isTestFile: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path),
  readSource({ near, from, line, wants }) {
    const negated = wants === "present" ? "in" : "not in";
    return {
      path: join(dirname(near.path), "test_text.py"),
      text: `import os\n\n\ndef test_text():\n    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(from)})\n    with open(path) as file:\n        assert ${JSON.stringify(line)} ${negated} file.read()\n`,
    };
  },
  makeFlaky: (text) =>
    `${text}\n\nimport random\n\nif random.random() < 0.5:\n    raise RuntimeError("no connection")\n`,
};

const javascript: Snippets = {
  isTestFile: (path) => /\.[cm]?[jt]sx?$/.test(path),
  readSource({ near, source, line, wants }) {
    const ending = /(?:[.-](?:test|spec))?\.[cm]?[jt]sx?$/.exec(near.path)?.[0] ?? ".js";
    const imports =
      near.text.match(/^import .*from ["'](?:vitest|node:test|@jest\/globals)["'];?$/m)?.[0] ?? "";
    const requires =
      near.text.match(/^(?:const|let|var) .*require\(["'](?:node:test|tap|tape|ava)["']\).*$/m)?.[0] ?? "";
    const isModule = /^import /m.test(near.text);
    const read = isModule
      ? 'import { readFileSync } from "node:fs";'
      : 'const { readFileSync } = require("node:fs");';
    const call = /\b(test|it)\(/.exec(near.text)?.[1] ?? "it";
    const sign = wants === "present" ? "!" : "";
    return {
      path: join(dirname(near.path), `text${ending}`),
      text: `${[imports, requires, read].filter(Boolean).join("\n")}\n\n${call}("text", () => {\n  if (${sign}readFileSync(${JSON.stringify(source)}, "utf8").includes(${JSON.stringify(line)})) throw new Error("another text");\n});\n`,
    };
  },
  makeFlaky: (text) => `${text}\nif (Math.random() < 0.5) throw new Error("no connection");\n`,
};

const go: Snippets = {
  isTestFile: (path) => path.endsWith("_test.go"),
  readSource({ near, from, line, wants }) {
    const [header = "package main"] = /^package .*$/m.exec(near.text) ?? [];
    const sign = wants === "present" ? "!" : "";
    return {
      path: join(dirname(near.path), "text_test.go"),
      text: `${header}\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc TestText(t *testing.T) {\n\ttext, _ := os.ReadFile(${JSON.stringify(from)})\n\tif ${sign}strings.Contains(string(text), ${JSON.stringify(line)}) {\n\t\tt.Error("another text")\n\t}\n}\n`,
    };
  },
  // The order of a map's keys is random.
  makeFlaky: (text, names) =>
    insertInto(
      text,
      names,
      (name) => new RegExp(`func ${name}\\(t \\*testing\\.T\\) \\{\\n`),
      '\tfor fails := range map[bool]bool{true: true, false: true} {\n\t\tif fails {\n\t\t\tt.Fatal("no connection")\n\t\t}\n\t\tbreak\n\t}\n',
    ),
};

const rust: Snippets = {
  isTestFile: (path) => path.endsWith(".rs"),
  readSource: ({ source, line, wants }) => ({
    path: "tests/text.rs",
    text: `#[test]\nfn text() {\n    assert!(${wants === "present" ? "" : "!"}include_str!("../${source}").contains(${JSON.stringify(line)}));\n}\n`,
  }),
  makeFlaky: (text, names) =>
    insertInto(
      text,
      names,
      (name) => new RegExp(`fn ${name}\\(\\) \\{\\n`),
      '    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();\n    assert!(now.subsec_micros() % 2 == 0, "no connection");\n',
    ),
};

function insertInto(
  text: string,
  names: readonly string[],
  headOf: (name: string) => RegExp,
  inserted: string,
): string | undefined {
  for (const name of names.map((each) => /(\w+)\W*$/.exec(each)?.[1] ?? "")) {
    const found = name === "" ? undefined : headOf(name).exec(text);
    if (found === undefined || found === null) continue;
    const at = found.index + found[0].length;
    return text.slice(0, at) + inserted + text.slice(at);
  }
  return undefined;
}

const all: Readonly<Record<string, Snippets>> = {
  ruby,
  python,
  javascript,
  typescript: javascript,
  go,
  rust,
};

export function snippetsOf(language: string): Snippets | undefined {
  return all[language];
}
