import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-drain-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a process that begins drains by `begin(NAME)`, and gives how it ended. */
function runWithDrains(statements: string) {
  const program = join(folder, "program.ts");
  const drain = join(import.meta.dirname, "report-drain.ts");
  writeFileSync(
    program,
    `import { closeSync, constants, openSync, writeSync } from "node:fs";
    import { startDrain } from ${JSON.stringify(drain)};
    const begin = (name: string) => {
      const path = ${JSON.stringify(`${folder}/`)} + name;
      const writer = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      return { writer, drain: startDrain(openSync(path, "r"), openSync(path + ".received", "w")) };
    };
    ${statements}`,
  );
  const { status, stderr, signal } = spawnSync(process.execPath, [program], {
    encoding: "utf8",
    timeout: 20_000,
  });
  return { status, signal, stderr };
}

test("a process ends though one of its pipes still has a writer, once those that it waits for have ended", () => {
  for (const name of ["one", "two"]) execFileSync("mkfifo", [join(folder, name)]);
  const end = runWithDrains(`const [one, two] = [begin("one"), begin("two")];
    writeSync(one.writer, "said");
    closeSync(one.writer);
    await one.drain.ended();
    two.drain.stop();`);
  expect(end).toMatchObject({ status: 0, signal: null });
  expect(readFileSync(join(folder, "one.received"), "utf8")).toBe("said");
});

test("a process ends that stops its first pipe before the thread has begun", () => {
  execFileSync("mkfifo", [join(folder, "one")]);
  expect(runWithDrains(`begin("one").drain.stop();`)).toMatchObject({ status: 0, signal: null });
});
