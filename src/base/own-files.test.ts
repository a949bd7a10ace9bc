import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownModule } from "./own-files.ts";

test("a thread that gets the folder of the compile cache uses the same cache", () => {
  const folder = mkdtempSync(join(tmpdir(), "compiled-"));
  const program = `
    import { enableCompileCache, getCompileCacheDir } from "node:module";
    import { Worker } from "node:worker_threads";
    enableCompileCache(${JSON.stringify(folder)});
    const { compileCacheFolder } = await import(${JSON.stringify(ownModule("base/own-files").href)});
    const thread = 'const { enableCompileCache, getCompileCacheDir } = require("node:module"); const { parentPort, workerData } = require("node:worker_threads"); enableCompileCache(workerData); parentPort.postMessage(getCompileCacheDir())';
    new Worker(thread, { eval: true, execArgv: [], workerData: compileCacheFolder() }).on("message", (used) => {
      process.stdout.write(String(used === getCompileCacheDir()));
    });`;
  try {
    const told = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      env: {},
    });
    expect(told).toBe("true");
    expect(readdirSync(folder)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
