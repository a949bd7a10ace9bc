/**
 * Applies the same replies with aider's own matching, in one Python process. The user names the folder of aider's
 * package.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Answer, EditTrial } from "./edit-table.ts";

export interface AiderOptions {
  /** Holds the package `aider`. */
  readonly folder: string;
  readonly python: string;
}

export function askAider(trials: readonly EditTrial[], { folder, python }: AiderOptions): Answer[] {
  const input = trials
    .map(({ kind, reply, files }) => `${JSON.stringify({ kind, reply, files })}\n`)
    .join("");
  const output = execFileSync(python, [join(import.meta.dirname, "edit-aider.py"), folder], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", "pipe", "inherit"],
  });
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Answer);
}
