import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { StandaloneProgram } from "../agent/state/standalone-program.ts";
import { emptyState } from "../agent/state/task-state.ts";
import { withKept } from "./reproduction.ts";

const end = { state: emptyState, text: "The test author wrote no test.", isError: true };
const base = { end: "exited", exitCode: 1, output: "fee 0", exception: "" };
const program = partOf<StandaloneProgram>({
  file: "fault/fee.py",
  command: "python3 fault/fee.py",
  text: "",
  base,
});

test("an author without a test keeps the programs that fail on the base", () => {
  expect(withKept(end, { kept: [], says: "" })).toEqual(end);
  const kept = withKept(end, { kept: [program], says: "" });
  expect([kept.isError, kept.state.programs, kept.state.rows.length]).toEqual([false, [program], 1]);
});
