/**
 * Reads a test's text at the failing line: the statement, the lines behind the compared values, and the enclosing
 * example.
 */
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { programOf, readRustExample } from "../../judging/rust-examples.ts";
import { linesOfSpans } from "../../judging/test-regions.ts";
import type { ActionContext } from "../action.ts";
import { linesBehind } from "../state/assertion-text.ts";
import type { Asserting } from "../state/asserts-fault.ts";
import { isRustExample } from "./moved-examples.ts";
import { testsOf } from "./text-of-tests.ts";

export interface AssertedText extends Asserting {
  /** The text of an example in documentation; absent for other tests. */
  readonly example?: { readonly path: string; readonly text: string };
  /** The file of the test's other assertions, and their lines. */
  readonly beside: { readonly path: string; readonly lines: readonly string[] };
}

/**
 * Reads the failing assertion of a test. The result's `line` is empty if the failing line is unknown. For a Rust
 * example, it is the whole program.
 */
export async function readAsserted(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  tree: string,
  { key, failure }: TestOutcome,
): Promise<AssertedText> {
  const { regions, workspace } = context;
  const said = failure === undefined ? "" : `${failure.type}: ${failure.message}`;
  const nothing = { line: "", behind: "", failure: said, beside: { path: key.target, lines: [] } };
  const { trees } = workspace;
  const textOf = async (path: string): Promise<string> =>
    (await trees.read(tree, path))?.toString("utf8") ?? "";
  if (isRustExample(key)) {
    const example = await readRustExample(key.name, textOf, regions);
    // In Rust examples, the panicking line is unknown. A claim must therefore hold for all assertions of the example.
    return example === undefined ? nothing : { ...nothing, line: programOf(example.text), example };
  }
  const read = testsOf(context, tree);
  const frames = failure?.frames ?? [];
  const isOfTest = await Promise.all(frames.map(({ file, line }) => read.isTest(file, line)));
  const own = frames.filter((_, at) => isOfTest[at]).at(-1);
  if (own === undefined) return nothing;
  const text = await textOf(own.file);
  const spans = await regions.spansIn(own.file, text);
  const span = spans.find((each) => each.isExample === true && linesOfSpans(text, [each]).has(own.line));
  if (span === undefined) {
    const [line, body] = [await read.line(own.file, own.line), await read.body(key)];
    const lines = body.split("\n").filter((each) => asserts.test(each) && !line.includes(each.trim()));
    return { line, behind: linesBehind(line, body), failure: said, beside: { path: own.file, lines } };
  }
  const written = text.slice(span.start, span.end);
  const example = { path: own.file, text: written };
  const lines = written.split("\n").map((line) => line.trim());
  const first = text.slice(0, span.start).split("\n").length;
  const line = lines[own.line - first] ?? "";
  const program = lines.filter((each) => /^(?:>>>|\.\.\.)/.test(each)).map(unprompted);
  // The failure contains the result of the failing line, so only the lines behind it are read.
  const behind = linesBehind(unprompted(line), program.join("\n"));
  const rest = lines.slice(own.line - first + 1);
  const next = rest.findIndex((each) => each.startsWith(">>>"));
  const others = [...lines.slice(0, own.line - first), ...(next < 0 ? [] : rest.slice(next))];
  const beside = { path: own.file, lines: others.filter((each) => each !== "") };
  return { line, behind, failure: failure?.message ?? "", example, beside };
}

/** Matches a line with an assertion. */
export const asserts =
  /assert|expect|should|raises|throws|verify|require|check|\.(?:equal|is|ok|same|Error|Fatal)/i;

function unprompted(line: string): string {
  return line.replace(/^(?:>>>|\.\.\.) ?/, "");
}
