import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { NewRunEvent } from "../../domain/run-event.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { readSignature } from "../state/statement-signature.ts";
import { emptyState, type TaskState } from "../state/task-state.ts";
import { putAside } from "./put-aside.ts";

const key = (name: string): TestKey => ({ package: "", target: "tests/test_a.py", name });
const outcome = (name: string, message = ""): TestOutcome => ({
  ...{ key: key(name), status: "failed", durationMs: 1 },
  failure: { type: "AssertionError", message, frames: [], text: "" },
});
const reason = "it needs a locale that is not installed here";

function contextOf(failingTests?: readonly string[], message = "") {
  const events: NewRunEvent[] = [];
  const recorder = { events, append: (event: NewRunEvent) => events.push(event) };
  const suite = { outcomes: [outcome("test_locale", message)] };
  const signature = readSignature("`parse_fee` is too low for heavy parcels");
  const context = { recorder, signature, suite, task: { statement: "", failingTests } };
  return { events, context: partOf<Parameters<typeof putAside>[0]>(context) };
}
const stateWith = (...targets: string[]): TaskState => ({
  ...emptyState,
  fault: {
    targets: targets.map(key),
    heldBack: [],
    baseRuns: [],
    reason: { holds: true, evidence: "a number" },
  },
});

test("a failing test that was taken for the fault is put aside where a written one shows it, and everybody is told", () => {
  const { context, events } = contextOf();
  const put = putAside(context, stateWith("test_locale", "test_written"), [{ test: "test_locale", reason }]);
  expect(put).toMatchObject({ ok: true });
  if (!put.ok) return;
  expect(put.value.fault?.targets).toEqual([key("test_written")]);
  expect(put.value.fault?.reason.doubt).toContain("test_locale");
  expect(put.value.assumptions).toEqual([expect.stringContaining(reason)]);
  expect(events).toMatchObject([{ event: "remark-made", level: "warning" }]);
});

test("never the last one that shows it, one that was written, or one that the user named", () => {
  const asked = [{ test: "test_locale", reason }];
  expect(putAside(contextOf().context, stateWith("test_locale"), asked)).toMatchObject({ ok: false });
  const written = [{ test: "test_written", reason }];
  const both = stateWith("test_locale", "test_written");
  expect(putAside(contextOf().context, both, written)).toMatchObject({ ok: false });
  expect(putAside(contextOf(["test_locale"]).context, both, asked)).toMatchObject({ ok: false });
  expect(putAside(contextOf().context, both, [])).toMatchObject({ ok: true, value: both });
});

test("one that calls what the statement names has to pass, whatever the author says", () => {
  const id = "tests/test_a.py::test_locale";
  const put = putAside(
    contextOf().context,
    stateWith("test_locale", "test_written"),
    [{ test: id, reason }],
    [id],
  );
  expect(put).toMatchObject({
    ok: false,
    message: expect.stringContaining("it calls code that the statement names"),
  });
});

test("a mistaken name does not stand in the way of the right one that follows it", () => {
  const asked = ["test_lokale", "test_locale"].map((test) => ({ test, reason }));
  const put = putAside(contextOf().context, stateWith("test_locale", "test_written"), asked);
  expect(put).toMatchObject({ ok: true, value: { fault: { targets: [key("test_written")] } } });
});

test("a test that fails as the statement says is not put aside", () => {
  const { context } = contextOf(undefined, "assert 10 == 15\n +  where 10 = parse_fee(7)");
  const put = putAside(context, stateWith("test_locale", "test_written"), [{ test: "test_locale", reason }]);
  expect(put).toMatchObject({ ok: false, message: expect.stringContaining("parse_fee") });
});

test("any reason puts a standalone program aside, because a program verifies nothing", () => {
  const file = ".millwright/programs/show.py";
  const base = { end: "exited", exitCode: 1, output: "", exception: "" };
  const program = {
    file,
    command: `python3 ${file}`,
    folder: ".millwright/programs",
    tree: "",
    text: "",
    base,
  };
  const { context, events } = contextOf();
  const put = putAside(context, { ...emptyState, programs: [program] }, [{ test: file, reason }]);
  expect(put.ok && put.value.programs).toEqual([{ ...program, aside: reason }]);
  expect(put.ok && put.value.assumptions).toEqual([expect.stringContaining(reason)]);
  expect(events).toHaveLength(1);
});

test("where a review must still agree that the tests show the fault, excluding one does not replace the review", () => {
  const state = stateWith("test_locale", "test_written");
  const open = { holds: false, evidence: "an opinion", ifAgreed: "the review agrees" };
  const fault = state.fault && { ...state.fault, reason: open };
  const put = putAside(contextOf().context, { ...state, fault }, [{ test: "test_locale", reason }]);
  expect(put).toMatchObject({
    ok: true,
    value: { fault: { reason: { holds: false, ifAgreed: open.ifAgreed } } },
  });
});
