import { defineTestFramework } from "../contract.ts";
import { cargoBatch } from "./cargo-batch.ts";
import { cargoCanary } from "./cargo-canary.ts";
import { cargoCollects } from "./cargo-collection.ts";
import { formatCargoCommand } from "./cargo-command.ts";
import { detectCargoTest, recogniseCargo } from "./cargo-detect.ts";
import { cargoExamples } from "./cargo-examples.ts";
import { invokeCargo, parseCargoReport } from "./cargo-run.ts";
import { rustJudging } from "./rust-judging.ts";
import { findRustTestFiles } from "./rust-test-files.ts";

export default defineTestFramework({
  name: "cargo-test",
  inShell: `When Millwright runs them, lints do not stop the build of old code; in a shell, \`RUSTFLAGS="--cap-lints allow"\` has the same effect.`,
  language: "rust",
  description:
    "cargo test, with Millwright's runner, which the project's own compiler builds; each test has its own process",
  coverage: "counters",
  judging: rustJudging,
  collects: cargoCollects,
  testFiles: findRustTestFiles,
  builds: true,
  isolates: true,
  batch: cargoBatch,
  detect: detectCargoTest,
  recognise(command, project) {
    const found = recogniseCargo(command, project, "test");
    if (found === undefined) return undefined;
    const { call, directory } = found;
    return {
      framework: "cargo-test",
      directory,
      command: formatCargoCommand(call),
      foundBy: "--test-command",
      likelihood: 1,
    };
  },
  canary: cargoCanary,
  examples: cargoExamples,
  invoke: (request) => invokeCargo(request),
  parse: parseCargoReport,
});
