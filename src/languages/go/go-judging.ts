/** Files that affect how Go tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const goJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  { files: "**/{go.work,go.work.sum,go.env}" },
  // Another toolchain, or a replacement for a module that tests use.
  { files: "**/go.mod", parts: { format: "lines", lines: /^\s*(?:toolchain\b|replace\b|[^/\n]*=>)/ } },
  // Runs its package's tests and reports how they ended.
  { files: "**/*_test.go", holding: /^func\s+TestMain\s*\(/m },
  {
    files:
      "**/vendor/{github.com/{stretchr,onsi,google/go-cmp,smartystreets,smarty,frankban,matryer},gotest.tools,gopkg.in/check.v1,go.uber.org/mock}/**",
  },
];
