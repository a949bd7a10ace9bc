// Writes docs/session.svg: a real `millwright solve` on examples/parcel-desk, as the terminal shows it. `npm run
// picture`.
// Each recording has the times and the name of its own run.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { terminalSvg } from "./terminal-svg.ts";

const root = join(import.meta.dirname, "..");
const runs = mkdtempSync(join(tmpdir(), "millwright-session-"));
const words = ["solve", "--issue", "ISSUE.md"];

const program = spawn(join(root, "bin/millwright"), words, {
  cwd: join(root, "examples/parcel-desk"),
  env: { ...process.env, MILLWRIGHT_RUNS_DIR: runs, MILLWRIGHT_SANDBOX: "bubblewrap", NO_COLOR: "1" },
  stdio: ["ignore", "pipe", "pipe"],
});
let session = "";
for (const stream of [program.stderr, program.stdout])
  stream.setEncoding("utf8").on("data", (text: string) => {
    session += text;
    process.stderr.write(text);
  });
const exitCode = await new Promise((resolve) => program.once("close", resolve));
rmSync(runs, { recursive: true });
if (exitCode !== 0) throw new Error(`millwright ${words.join(" ")} ended with ${exitCode}`);

const shown = session.replaceAll(runs, "~/.local/state/millwright/runs").trimEnd().split("\n");
const lines = [`$ cd examples/parcel-desk`, `$ millwright ${words.join(" ")}`, ...shown];
writeFileSync(
  join(root, "docs/session.svg"),
  terminalSvg(lines, "millwright solve repairs the example program"),
);
