/** Says where new tests can be placed, for frameworks in which this is not obvious. Pure. */

import type { TestCommand } from "../../languages/contract.ts";
import { describeCargo } from "../../languages/rust/cargo-notes.ts";

/** Tells authors where to write tests in Cargo and CTest; undefined if a new file next to the others is enough. */
export function findPlaceForTests(
  { framework, command }: Pick<TestCommand, "framework" | "command">,
  files: readonly string[],
): string | undefined {
  if (framework === "cargo-test") {
    const hasLibrary = files.some((path) => /(?:^|\/)src\/lib\.rs$/.test(path));
    const place = hasLibrary
      ? "Files in `tests/` see only what the library makes public. Private code can be tested only in a `#[cfg(test)]` module of its own source file."
      : "The package has no library target, so a file in `tests/` cannot name its code. Write a new `#[cfg(test)] mod` with its own name at the end of the source file, and change nothing else there.";
    return [describeCargo(command, files), place].filter((text) => text !== undefined).join(" ");
  }
  if (framework === "ctest")
    return "A new file runs only if the build names it: add it to the build file of the tests, like the others.";
  return undefined;
}
