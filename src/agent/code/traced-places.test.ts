import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { CodeGraph, Entity, EntityKind, GraphFile } from "../../graph/contract.ts";
import { findTraced } from "./traced-places.ts";

type Row = readonly [name: string, kind: EntityKind, startLine: number, endLine: number];

/** A graph of files with 800 lines. */
function graphOf(files: Readonly<Record<string, readonly Row[]>>): Pick<CodeGraph, "files" | "outline"> {
  return {
    files: () => Object.keys(files).map((path) => partOf<GraphFile>({ path, lines: 800 })),
    outline: (path) =>
      (files[path] ?? []).map(([name, kind, startLine, endLine]) =>
        partOf<Entity>({ id: startLine, name, kind, path, startLine, endLine }),
      ),
  };
}

const parser: readonly Row[] = [
  ["Parser", "struct", 20, 60],
  ["get_matches_with", "method", 114, 400],
  ["parse_long", "method", 420, 450],
];
const clap = graphOf({
  "src/parser/parser.rs": parser,
  "src/lib.rs": [["init", "function", 10, 20]],
  "clap_lex/src/lib.rs": [["next", "method", 30, 40]],
  "src/builder/command.rs": [["_do_parse", "method", 600, 620]],
});
const registry = "/home/me/.cargo/registry/src/github.com-1ecc6299db9ec823";
const rust = (name: string, path: string, line: number) =>
  `   6: ${name}\n             at ${path}:${line}:42\n`;

test("places of a trace come innermost first, from another folder and another version", () => {
  const statement = [
    `thread 'main' panicked at 'no', ${registry}/clap-4.0.22/src/parser/parser.rs:176:53\n`,
    rust("core::option::Option<T>::expect", "/rustc/e080/library/core/src/option.rs", 741),
    rust(
      "clap::parser::Parser::get_matches_with::{{closure}}",
      `${registry}/clap-4.0.22/src/parser/parser.rs`,
      176,
    ),
    rust("clap::builder::Command::_do_parse", `${registry}/clap-4.0.22/src/builder/command.rs`, 3794),
  ].join("");
  expect(findTraced(clap, statement, () => true)).toEqual([
    {
      file: "src/parser/parser.rs",
      startLine: 170,
      endLine: 186,
      why: "named by the statement's stack trace, line 176",
    },
    {
      file: "src/builder/command.rs",
      startLine: 600,
      endLine: 620,
      why: "named by the statement's stack trace in _do_parse, at line 3794 of another version",
    },
  ]);
});

test.each<[string, string, string[]]>([
  [
    "a member of the workspace",
    rust("clap_lex::Cursor::next", `${registry}/clap_lex-0.3.0/src/lib.rs`, 35),
    ["clap_lex/src/lib.rs:30"],
  ],
  [
    "a dependency with a file of the same name",
    rust("serde::init", `${registry}/serde-1.0.1/src/lib.rs`, 12),
    [],
  ],
  ["a dependency's panic", `panicked at 'no', ${registry}/serde-1.0.1/src/lib.rs:12:1`, []],
  ["an absolute path", rust("clap::init", "/build/clap/src/lib.rs", 12), ["src/lib.rs:10"]],
  ["a line behind the file's end", "panicked at src/lib.rs:9000:1:", []],
  ["a file of the standard library", rust("std::init", "/rustc/e08/library/std/src/lib.rs", 12), []],
])("a trace names code of the project only: %s", (_, statement, expected) => {
  const found = findTraced(clap, statement, () => true);
  expect(found.map(({ file, startLine }) => `${file}:${startLine}`)).toEqual(expected);
});

test("an installed copy of the project is the project, and tests are left out", () => {
  const graph = graphOf({
    "src/flask/app.py": [["run", "method", 5, 20]],
    "tests/test_app.py": [["test_run", "function", 1, 9]],
  });
  const statement =
    'Traceback\n  File "tests/test_app.py", line 3, in test_run\n  File "/x/lib/python3.9/site-packages/flask/app.py", line 90, in run\n  File "/x/lib/python3.9/json/decoder.py", line 3, in decode';
  const found = findTraced(graph, statement, (path) => !path.startsWith("tests/"));
  expect(found.map(({ file, startLine }) => `${file}:${startLine}`)).toEqual(["src/flask/app.py:5"]);
});
