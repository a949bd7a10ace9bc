/** Rust-SWE-bench: issues of Rust repositories. Its rows have the fields that SWE-bench's collection scripts write. */
import { z } from "zod";
import rustSweBench from "../graders/rust-swe-bench.ts";
import { defineDataset } from "./contract.ts";
import { hiddenOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

/**
 * True for a row with `instance_id` and `base_commit` that names Rust as its language, or that names no language and
 * has this collection's fields `pull_number` and `updated_at`.
 */
export function isRustRow(row: Readonly<Record<string, unknown>>): boolean {
  const { language } = row;
  const isCollected = "pull_number" in row && "updated_at" in row && language === undefined;
  return "instance_id" in row && "base_commit" in row && (isCollected || language === "rust");
}

export default defineDataset({
  name: "rust-swe-bench",
  description: "Issues of Rust repositories with the patches that resolved them (Rust-SWE-bench)",
  card: { home: "https://github.com/GhabiX/Rust-SWE-Bench", paper: "https://arxiv.org/abs/2602.22764" },
  recognises: isRustRow,
  row: sweBenchRow.safeExtend({ language: z.literal("rust").nullish() }),
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  hidden: (row) => hiddenOfSweBench(row),
  grader: rustSweBench,
});
