// A process of a project's tests that is ended when it falls silent, with all that it started.
"use strict";
const { spawn } = require("child_process");

const keptOutput = 64 * 1024;

/**
 * `read` is given its output. It is ended once `isOver()` is true after an output, or when nothing was heard for `idle()`
 * milliseconds (undefined: for ever) and `isAlive()` does not say otherwise.
 */
function runWatched(
  argv,
  env,
  { read, idle = () => undefined, isAlive = () => false, isOver = () => false },
) {
  return new Promise((resolve) => {
    const child = spawn(argv[0], argv.slice(1), { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const result = { code: null, signal: null, stderr: "", timedOut: false };
    let heard = Date.now();
    const timer = setInterval(() => {
      const limit = idle();
      if (isAlive()) heard = Date.now();
      if (limit === undefined || Date.now() - heard < limit) return;
      result.timedOut = true;
      stopGroup(child.pid);
    }, 100);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      process.stdout.write(text);
      read(text);
      heard = Date.now();
      if (isOver()) stopGroup(child.pid);
    });
    child.stderr.on("data", (chunk) => {
      process.stderr.write(chunk);
      result.stderr = (result.stderr + chunk).slice(-keptOutput);
    });
    child.on("error", (error) => {
      clearInterval(timer);
      resolve({ ...result, code: 127, stderr: String(error) });
    });
    child.on("exit", (code, signal) => {
      Object.assign(result, { code, signal });
      stopGroup(child.pid); // what a test left running, and its hold on the output
    });
    child.on("close", () => {
      clearInterval(timer);
      resolve(result);
    });
  });
}

function stopGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended already
  }
}

module.exports = { runWatched };
