/**
 * Derives descriptions of the six kinds from real issues, as USEbench does. An issue alone is a repair. With a sentence
 * that asks only for a test, it is a regression test; with half of its solution, a partial fix. A function of its
 * solution gives the other three kinds. Each kind has several wordings.
 */
import type { TaskKind } from "../src/domain/task.ts";
import { isSourceFile, languageOf } from "../src/languages/source-files.ts";
import { childOf, namedChildren, type SyntaxNode, walk } from "../src/syntax/node.ts";
import { readSource } from "../src/syntax/read-source.ts";
import { isFunction } from "../src/syntax/statements.ts";
import { extractSymbols } from "../src/syntax/symbols/extract-symbols.ts";
import { textAt } from "./git-folder.ts";

export interface IssueRow {
  readonly instance_id: string;
  readonly problem_statement: string;
  readonly base_commit: string;
  readonly patch: string;
}

export interface Described {
  readonly name: string;
  readonly kind: TaskKind;
  readonly statement: string;
  readonly read: (path: string) => Promise<string | undefined>;
}

const wordings = {
  "regression-test": [
    (issue: string) =>
      `Write a regression test for the issue below: it has to fail on the repository as it is, and to pass once the issue is fixed. Do not fix the issue.\n\n${issue}`,
    (issue: string) =>
      `The following text contains a user issue (in <issue/> brackets) posted at a repository.\n<issue>\n${issue}\n</issue>\nPlease generate test cases that fail before the issue is resolved and pass afterwards.`,
    (issue: string) =>
      `${issue}\n\nYour task is to reproduce this issue with a unit test. Only tests may be changed.`,
  ],
  "partial-fix": [
    (issue: string, patch: string) =>
      `${issue}\n\nThe following patch is a failed attempt to resolve the issue:\n\n${patch}`,
    (issue: string, patch: string) =>
      `${issue}\n\nThis partial patch was written, but it does not resolve the issue completely:\n\n\`\`\`diff\n${patch}\`\`\``,
  ],
  "code-generation": [
    ({ name, path, signature, documentation }: Place) =>
      `Complete the function \`${name}\` in ${path}. Its body was removed.\n\n${signature}\n${documentation}`,
    ({ name, path, documentation }: Place) => `Write the body of ${path}:${name}.\n\n${documentation}`,
    ({ name, path, documentation }: Place) =>
      `Implement \`${name}\` (${path}) according to its documentation:\n\n${documentation}`,
  ],
  "test-generation": [
    ({ name, path }: Place) =>
      `Write tests for the function \`${name}\` in ${path}, so that every line of it is covered.`,
    ({ name, path }: Place) =>
      `All tests of \`${name}\` were removed from this repository. Add unit tests for it that reach 100 % line coverage of it. It is defined in ${path}.`,
    ({ name, path }: Place) => `Generate a test suite for the method ${path}:${name}.`,
  ],
  feature: [
    ({ name, path, documentation }: Place) =>
      `Implement the function \`${name}\` in ${path} and write tests for it.\n\n${documentation}`,
    ({ name, path, documentation }: Place) =>
      `Add a function \`${name}\` to ${path}: ${documentation}\nWrite its body together with tests that cover the new code.`,
    ({ name, path, documentation }: Place) =>
      `New feature: \`${name}\` in ${path}.\n${documentation}\nDeliver the implementation and its tests.`,
  ],
} as const;

interface Place {
  readonly name: string;
  readonly path: string;
  readonly signature: string;
  readonly documentation: string;
  /** The file without the body, and without the function. */
  readonly unwritten: string;
  readonly absent: string;
}

/** `at`: which of the wordings; the same for the same row. */
export async function describeRow(row: IssueRow, folder: string, at: number): Promise<Described[]> {
  const { instance_id: name, problem_statement: issue, base_commit: base, patch } = row;
  const read = (path: string) => textAt(folder, base, path);
  const pick = <T>(items: readonly T[]): T => items[at % items.length] as T;
  const own: Described[] = [
    { name, kind: "repair", statement: issue, read },
    { name, kind: "regression-test", statement: pick(wordings["regression-test"])(issue), read },
  ];
  const half = halfOf(patch);
  if (half !== "")
    own.push({ name, kind: "partial-fix", statement: pick(wordings["partial-fix"])(issue, half), read });
  const place = await findPlace(patch, read);
  if (place === undefined) return own;
  const instead = (text: string) => async (path: string) => (path === place.path ? text : read(path));
  return [
    ...own,
    ...(["code-generation", "feature"] as const).map((kind) => ({
      ...{ name, kind, statement: pick(wordings[kind])(place) },
      read: instead(kind === "feature" ? place.absent : place.unwritten),
    })),
    { name, kind: "test-generation", statement: pick(wordings["test-generation"])(place), read },
  ];
}

/** The first half of its hunks. */
function halfOf(patch: string): string {
  const files = patch.split(/^(?=diff --git )/m).filter((text) => isSourceFile(pathOf(text)));
  const [first = ""] = files;
  const [head = "", ...hunks] = first.split(/^(?=@@ )/m);
  return hunks.length === 0 ? "" : head + hunks.slice(0, Math.ceil(hunks.length / 2)).join("");
}

function pathOf(diff: string): string {
  return /^\+\+\+ b\/(.+)$/m.exec(diff)?.[1] ?? "";
}

/** The first function with a body and documentation in a file that the solution changes; where none has any, one without. */
async function findPlace(
  patch: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<Place | undefined> {
  const paths = [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = ""]) => path).filter(isSourceFile);
  let spare: Place | undefined;
  for (const path of paths) {
    const text = await read(path);
    const place = text === undefined ? undefined : await placeIn(path, text);
    if (place !== undefined && place.documentation !== "") return place;
    spare ??= place;
  }
  return spare;
}

async function placeIn(path: string, text: string): Promise<Place | undefined> {
  const source = await readSource(path, text, languageOf);
  if (source === undefined) return undefined;
  const definitions = (await extractSymbols(path, text))?.definitions ?? [];
  const places = definitions.flatMap(
    ({ kind, name, startLine, endLine, isTest, signature, documentation = "" }) => {
      if ((kind !== "function" && kind !== "method") || isTest === true || name.startsWith("_")) return [];
      if (definitions.filter((each) => each.name === name).length > 1) return [];
      const isOwn = (node: SyntaxNode): boolean =>
        isFunction(source, node) && node.endLine === endLine && node.startLine >= startLine;
      const node = [...walk(source.tree.root)].find(isOwn);
      const body = node === undefined ? undefined : childOf(node, "body");
      if (node === undefined || body === undefined || namedChildren(body).length < 3) return [];
      const cut = (from: number, to: number, by: string): string => text.slice(0, from) + by + text.slice(to);
      const unwritten = cut(body.start, body.end, placeholders[source.dialect.language] ?? "{}");
      const absent = cut(node.start, node.end, "");
      return [
        {
          ...{ name, path, signature, unwritten, absent },
          documentation: documentation.split("\n\n")[0] ?? "",
        },
      ];
    },
  );
  return places.find(({ documentation }) => documentation !== "") ?? places[0];
}

const placeholders: Readonly<Record<string, string>> = {
  python: "raise NotImplementedError",
  rust: "{ todo!() }",
  javascript: '{ throw new Error("not implemented"); }',
};
