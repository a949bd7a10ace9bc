/** Reads the output of our agent in the tests' virtual machine (`runtime/java/MillwrightAgent.java`). */
import type { TestFailure } from "../../domain/test-outcome.ts";
import type { ReportRequest } from "../contract.ts";
import { crashType } from "../report-lines.ts";
import { type FindSource, readJavaStack } from "./java-stack.ts";

export interface WatchedTest {
  /** The running test: `org.example.ShelfTest#adds`. */
  readonly test: string;
  readonly failure: TestFailure;
}

export interface EndedTests {
  /** Tests that took longer than their limit. */
  readonly timedOut: readonly WatchedTest[];
  /** Tests that were running when their virtual machine ended. */
  readonly died: readonly WatchedTest[];
}

export function findEnded(run: ReportRequest & { readonly findSource: FindSource }): EndedTests {
  const timedOut: WatchedTest[] = [];
  const died: WatchedTest[] = [];
  for (const [name, content] of run.files) {
    const text = content.toString("utf8");
    if (/^timeouts-.*\.txt$/.test(name)) {
      timedOut.push(
        ...readTests(text, "TimeoutError", "the test took longer than its time limit", run.findSource),
      );
    } else if (/^ended-.*\.txt$/.test(name)) {
      const message = `the virtual machine ended while this test ran (exit code ${run.exitCode ?? "none"})`;
      died.push(...readTests(text, crashType, message, run.findSource));
    }
  }
  return { timedOut, died };
}

function readTests(text: string, type: string, message: string, findSource: FindSource): WatchedTest[] {
  return text
    .split(/^@@test /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      const stack = part.slice(end + 1);
      const failure = { type, message, frames: readJavaStack(stack, findSource), text: stack.slice(0, 4000) };
      return { test: part.slice(0, end), failure };
    });
}
