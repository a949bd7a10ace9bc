/** A repository that holds the test runner that runs its tests, as pytest's own does. */
import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts the installed pytest into the repository, and `own_test.py` with these lines. */
export function copyPytest(root: string, lines: readonly string[]): void {
  const where = "import _pytest, os; print(os.path.dirname(_pytest.__file__))";
  const folder = execFileSync("python3", ["-c", where], { encoding: "utf8" }).trim();
  for (const name of ["_pytest", "pytest"]) {
    cpSync(join(folder, "..", name), join(root, name), { recursive: true });
  }
  writeFileSync(join(root, "own_test.py"), `${lines.join("\n")}\n`);
}
