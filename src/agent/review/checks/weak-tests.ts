import { addedLines, linesOf, readSource } from "../../code/change.ts";
import { listHelpers, listTestBodies, type TestBody } from "../../code/test-bodies.ts";
import { listAssertions, listEmptyAssertions, listMocks, type Marked } from "../../code/test-strength.ts";
import { namesOf } from "../../state/assertion-text.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

const mostNamed = 4;

export default defineReviewCheck({
  name: "weak-tests",
  description:
    "Finds written tests that assert nothing, assert constants, or contain far more mocks than assertions.",
  async read({ change }) {
    const findings: Finding[] = [];
    for (const file of change.files) {
      if (!file.isTest || file.after === undefined) continue;
      const added = new Set(addedLines(file));
      const bodies = (await listTestBodies(file.path, file.after)).filter(({ startLine, endLine }) =>
        [...added].some((line) => startLine <= line && line <= endLine),
      );
      findings.push(...(await judgeTests(file.path, file.after, bodies)));
    }
    return findings;
  },
});

/**
 * Finds tests that assert nothing or only constants, or that contain more than three times as many mocks as assertions.
 * Returns an empty list for a language without a dialect.
 */
export async function judgeTests(
  path: string,
  text: string,
  bodies: readonly TestBody[],
): Promise<Finding[]> {
  const source = await readSource(path, text);
  if (source === undefined) return [];
  const asserted = listAssertions(source);
  const empty = listEmptyAssertions(source);
  const mocked = listMocks(source);
  const lines = linesOf(text);
  const within = (marked: readonly Marked[], { startLine, endLine }: TestBody): number =>
    marked.filter(({ line }) => startLine <= line && line <= endLine).length;
  // A test that only calls helpers of its file may assert in those.
  const helpers = (await listHelpers(path, text)).filter((helper) => within(asserted, helper) > 0);
  const asserting = new Set(helpers.map(({ name }) => name));
  const callsHelper = (body: TestBody): boolean =>
    lines
      .slice(body.startLine - 1, body.endLine)
      .some(
        (line) =>
          /\b_?(?:check|verify|assert|expect)\w*\(/i.test(line) ||
          namesOf(line).some((name) => asserting.has(name)),
      );
  const silent = bodies.filter((body) => within(asserted, body) === 0 && !callsHelper(body));
  const hollow = bodies.filter(
    (body) => within(asserted, body) > 0 && within(empty, body) === within(asserted, body),
  );
  const replaced = bodies.filter((body) => within(mocked, body) > 3 * Math.max(1, within(asserted, body)));
  return [
    ...say(path, silent, "assert nothing, so only an error can make them fail"),
    ...say(path, hollow, "assert only constants, so they cannot fail"),
    ...say(path, replaced, "contain far more mocks than assertions"),
  ];
}

function say(path: string, bodies: readonly TestBody[], what: string): Finding[] {
  if (bodies.length === 0) return [];
  const more = bodies.length > mostNamed ? ` and ${bodies.length - mostNamed} more` : "";
  const names = bodies.slice(0, mostNamed).map(({ name, startLine }) => `${name} (line ${startLine})`);
  return [{ weight: "doubt", text: `Tests of ${path} ${what}: ${names.join(", ")}${more}.` }];
}
