import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const runtime = fileURLToPath(new URL("../runtime/python", import.meta.url));
const script = `
import tempfile, time
from millwright_limit import TimeLimit
limit = TimeLimit(300, tempfile.mkdtemp())
limit.arm("t")
try:
    print("armed", flush=True)
    time.sleep(30)
except BaseException as error:
    print(type(error).__name__)
finally:
    limit.disarm()
`;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)(
  "a pause in the background ends the test that runs, and not the whole run",
  async () => {
    const env = {
      ...process.env,
      PYTHONPATH: runtime,
      MILLWRIGHT_PAUSABLE: "1",
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const child = spawn("python3", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let paused = false;
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (paused || !said.includes("armed")) return;
      paused = true;
      child.kill("SIGSTOP");
      // Longer than the limit and the usual time of the watchdog.
      setTimeout(() => child.kill("SIGCONT"), 4_000);
    });
    const exitCode = await new Promise((resolve) => child.on("close", resolve));
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining("TimeoutError") });
  },
);
