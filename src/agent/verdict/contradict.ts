/** Answers the last question of a confirming run: do the tests pass whatever result they expect? */
import type { TestKey } from "../../domain/test-outcome.ts";
import { contradictTests } from "../../judging/contradict-tests.ts";
import { applyEdits, type LiteralEdit } from "../../judging/vary-tests.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { bodiesOf, findTestFiles, isInLines, type TestBody } from "../code/test-bodies.ts";

export interface Otherwise {
  /** The tests in the files that now certainly expect another value. */
  readonly asked: readonly TestKey[];
  /** The files. Only the bodies of these tests differ from the originals. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

interface Found {
  readonly path: string;
  readonly text: string;
  readonly bodies: readonly TestBody[];
  readonly edits: readonly LiteralEdit[];
}

/** Rewrites tests that visibly compare for equality. The new tests expect other values. */
export async function expectOtherwise(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
): Promise<Otherwise> {
  let found: readonly Found[] = [];
  for (const [path, { text, bodies }] of await findTestFiles(trees, tree, tests))
    found = [...found, { path, text, bodies, edits: await contradictTests(path, text, bodies) }];
  let asked = new Set(tests);
  // Tests may share a body, so dropping it for one may leave another unchanged.
  for (let before = -1; before !== asked.size; ) {
    before = asked.size;
    asked = new Set([...asked].filter((key) => isChanged(found, key)));
    const kept = tests.filter((key) => !asked.has(key));
    found = found.map((file) => ({ ...file, edits: leaveAlone(file, kept) }));
  }
  const files = found
    .filter(({ edits }) => edits.length > 0)
    .map(({ path, text, edits }) => ({ path, content: applyEdits(text, edits) }));
  return { asked: [...asked], files };
}

/** If several have one name, it is unknown which of them is the test. */
function isChanged(found: readonly Found[], key: TestKey): boolean {
  const own = found.flatMap(({ bodies, edits }) =>
    bodiesOf(bodies, key).map((body) => edits.some(({ line }) => isInLines(body, line))),
  );
  return own.length > 0 && own.every(Boolean);
}

function leaveAlone({ bodies, edits }: Found, tests: readonly TestKey[]): LiteralEdit[] {
  const alone = tests.flatMap((key) => bodiesOf(bodies, key));
  return edits.filter(({ line }) => !alone.some((body) => isInLines(body, line)));
}
