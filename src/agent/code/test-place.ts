/** Says where authors can put new tests, for frameworks in which this is not obvious. Pure. */

import type { TestCommand } from "../../languages/contract.ts";
import { describeCargo } from "../../languages/rust/cargo-notes.ts";

/** Tells authors where to write tests for Cargo and CTest. Undefined if a new file next to other tests is enough. */
export function findPlaceForTests(
  { framework, command }: Pick<TestCommand, "framework" | "command">,
  files: readonly string[],
): string | undefined {
  if (framework === "cargo-test") {
    const hasLibrary = files.some((path) => /(?:^|\/)src\/lib\.rs$/.test(path));
    const place = hasLibrary
      ? "Files in `tests/` can use only public items of the library. To test private code, use a `#[cfg(test)]` module in the source file of this code."
      : "The package has no library target, so a file in `tests/` cannot use the package's code. Write a new `#[cfg(test)] mod` with its own name at the end of the source file, and change nothing else there.";
    return [describeCargo(command, files), place].filter((text) => text !== undefined).join(" ");
  }
  if (framework === "ctest")
    return "A new test file runs only if the build names it. Add the file to the tests' build file, like the other test files.";
  return undefined;
}
