import { describe, expect, it } from "vitest";
import type { ProjectView } from "../contract.ts";
import { nothingReceived } from "../report-frames.ts";
import nextest from "./cargo-nextest.ts";

const project: ProjectView = { files: ["Cargo.toml"], read: () => undefined, exists: () => false };
const suite = (binary: string, kind: string) => ({
  nextest: { crate: "ferry-deck", test_binary: binary, kind },
});
const panic = [
  "",
  "thread 'room' (12) panicked at tests/loading.rs:7:5:",
  "assertion `left == right` failed",
  "  left: 1",
  " right: 2",
  "",
].join("\n");

/** In the format that nextest documents as `libtest-json-plus`. */
const printed = [
  { type: "suite", event: "started", test_count: 3, ...suite("ferry_deck", "lib") },
  { type: "test", event: "started", name: "ferry-deck::ferry_deck$deck::tests::free" },
  { type: "test", event: "ok", name: "ferry-deck::ferry_deck$deck::tests::free", exec_time: 0.012 },
  { type: "test", event: "ignored", name: "ferry-deck::ferry_deck$deck::tests::later" },
  { type: "test", event: "started", name: "ferry-deck::ferry_deck$deck::tests::lost" },
  { type: "suite", event: "started", test_count: 1, ...suite("loading", "test") },
  { type: "test", event: "started", name: "ferry-deck::loading$room" },
  { type: "test", event: "failed", name: "ferry-deck::loading$room", exec_time: 0.5, stdout: panic },
  { type: "suite", event: "failed", passed: 0, failed: 1, ignored: 0, ...suite("loading", "test") },
];

function parse(exitCode: number) {
  const stdout = `${printed.map((line) => JSON.stringify(line)).join("\n")}\nfree text\n`;
  return nextest.parse({
    received: nothingReceived,
    files: new Map(),
    stdout,
    stderr: "",
    exitCode,
    root: "/r",
  });
}

describe("cargo nextest", () => {
  it("is read in the format that it documents", () => {
    const { outcomes, invalid } = parse(100);
    expect(invalid).toBeUndefined();
    expect(outcomes.map(({ key, status }) => [key.target, key.name, status])).toEqual([
      ["ferry-deck", "deck::tests::free", "passed"],
      ["ferry-deck", "deck::tests::later", "skipped"],
      ["ferry-deck::loading", "room", "failed"],
      ["ferry-deck", "deck::tests::lost", "not-run"],
    ]);
    expect(outcomes[2]?.failure).toMatchObject({
      type: "AssertionError",
      frames: [{ file: "tests/loading.rs", line: 7 }],
    });
    expect(parse(0).invalid).toMatch(/exit code 0/);
  });

  it("is asked for single tests by a filter", () => {
    const command = nextest.recognise("cargo nextest run --all-features -- --skip slow", project);
    if (command === undefined) throw new Error("the command is not recognised");
    const tests = [{ package: "", target: "ferry-deck::loading", name: "room" }];
    const { run } = nextest.invoke({
      command,
      selection: { kind: "tests", tests },
      coverage: false,
      testTimeoutMs: 1000,
      stopAtFirstFailure: false,
      paths: { root: "/r", runtime: "/m", report: "/p", channel: "/c" },
      project,
    });
    expect(run).toEqual(expect.arrayContaining(["--all-features", "--no-fail-fast", "-E"]));
    expect(run).toContain("(binary_id(=ferry-deck::loading) & test(=room))");
    expect(run.slice(-3)).toEqual(["--", "--skip", "slow"]);
  });
});
