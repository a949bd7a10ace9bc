import { wholeOutput } from "../base/captured-output.ts";
import { runProcess } from "../base/process.ts";

/** Returns the commit of HEAD; undefined outside git or before the first commit. Reads only references. */
export async function headCommitOf(repository: string): Promise<string | undefined> {
  const options = ["-c", "core.fsmonitor=false", "-c", "safe.directory=*"];
  const { exitCode, stdout } = await runProcess(
    ["git", "-C", repository, ...options, "rev-parse", "--verify", "HEAD"],
    { env: { PATH: process.env["PATH"] ?? "", GIT_OPTIONAL_LOCKS: "0" }, outputBytes: 1024 },
  );
  return exitCode === 0 ? wholeOutput(stdout)?.toString("latin1").trim() : undefined;
}
