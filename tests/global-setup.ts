/** Once before all tests: what this machine's set-up would cost or change in each of them. */
import { execFileSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { sandboxes } from "../src/sandbox/index.ts";

export default async function setUp(): Promise<void> {
  skipShims();
  await chooseSandbox();
}

/** A version manager's `python3` is a script that starts twenty processes at each call: the one behind it comes first. */
function skipShims(): void {
  const ask = ["-c", "import sys; print(sys.executable)"];
  const python = execFileSync("python3", ask, { encoding: "utf8" }).trim();
  process.env["PATH"] = `${dirname(python)}${delimiter}${process.env["PATH"] ?? ""}`;
}

/**
 * Whole runs whose promise is not about the sandbox take the one that opens fastest, whether or not a Docker daemon is there;
 * `createPlayground({ sandbox: "auto" })` takes the one that a user gets.
 */
async function chooseSandbox(): Promise<void> {
  const quick = sandboxes.find(({ name }) => name === "bubblewrap");
  const works = (await quick?.probe())?.available === true;
  process.env["MILLWRIGHT_TEST_SANDBOX"] = works ? "bubblewrap" : "auto";
}
