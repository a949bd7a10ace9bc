/** Files that affect how Rust's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const rustJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  { files: "**/.cargo/**" },
  { files: "**/{rust-toolchain,rust-toolchain.toml,.config/nextest.toml}" },
  {
    files: "**/Cargo.toml",
    parts: {
      format: "toml",
      keys: [
        "test",
        "bench",
        "lib.test",
        "lib.doctest",
        "lib.harness",
        "bin.*.test",
        "bin.*.harness",
        "example.*.test",
        "example.*.harness",
        "package.workspace",
        "package.autotests",
        "package.autobenches",
        "package.autoexamples",
        "profile",
        "patch",
        "replace",
      ],
      kept: [
        "dev-dependencies.*",
        "target.*.dev-dependencies.*",
        // Tests may inherit these crates. Another version or feature is still the same crate.
        ...["path", "git", "package", "registry"].map((key) => `workspace.dependencies.*.${key}`),
      ],
    },
  },
];
