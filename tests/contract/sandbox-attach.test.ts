/** What every sandbox promises of a command that is talked to while it runs. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import type { AttachedCommand, AttachedProcess } from "../../src/sandbox/contract.ts";
import { countSleepers, type Fixture, members, openFixture, path, uniqueSeconds } from "./sandbox-fixture.ts";

for (const { provider, name, missing } of members) {
  describe.skipIf(missing !== undefined)(
    `${name}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    () => {
      let fixture: Fixture;
      beforeAll(async () => {
        fixture = await openFixture(provider);
      });
      afterAll(() => fixture.remove());

      function attach(run: AttachedCommand["run"], more: Partial<AttachedCommand> = {}): AttachedProcess {
        return fixture.sandbox.attach({ run, cwd: fixture.folder, env: { PATH: path }, ...more });
      }

      test("answers what is written to it, and ends when its input does", async () => {
        const process = attach('while read -r line; do echo "<$line>"; done; echo over; exit 3');
        process.stdin.write("one\n");
        expect(await readLine(process.stdout)).toBe("<one>\n");
        process.stdin.write("two\n");
        expect(await readLine(process.stdout)).toBe("<two>\n");
        process.stdin.end();
        expect((await buffer(process.stdout)).toString()).toBe("over\n");
        expect(await process.exited).toMatchObject({ end: "exited", exitCode: 3 });
      });

      test("passes bytes as they are, both ways, more than any buffer holds", async () => {
        const bytes = randomBytes(3_000_000);
        const process = attach(["cat"]);
        process.stdin.end(bytes);
        expect((await buffer(process.stdout)).equals(bytes)).toBe(true);
        expect(await process.exited).toMatchObject({ end: "exited", exitCode: 0 });
      });

      test("has its folder, its environment and nothing else", async () => {
        const folder = join(fixture.folder, "a b");
        await mkdir(folder);
        const process = attach("pwd; echo $ONE$HOME", { cwd: folder, env: { PATH: path, ONE: "1" } });
        expect((await buffer(process.stdout)).toString()).toBe(`${folder}\n1\n`);
      });

      test("keeps the end of its standard error", async () => {
        const process = attach("echo first >&2; head -c 300000 /dev/zero >&2; echo last >&2");
        process.stdout.resume();
        await process.exited;
        expect(process.stderr()).toMatch(/last\n$/);
        expect(process.stderr().length).toBe(64 * 1024);
      });

      test("ends as a shell has it for a program or folder that is missing", async () => {
        const absent = attach(["no-such-program"]);
        const misplaced = attach(["true"], { cwd: "/does/not/exist" });
        const long = attach(["true", "x".repeat(200_000)]);
        expect(await absent.exited).toMatchObject({ end: "exited", exitCode: 127 });
        expect(await misplaced.exited).toMatchObject({ end: "exited", exitCode: 126 });
        expect(misplaced.stderr()).toContain("/does/not/exist");
        expect(await long.exited).toMatchObject({ end: "exited", exitCode: 126 });
        expect(long.stderr()).toContain("too long");
      });

      test("is killed with all that it started, children that hide among them", async () => {
        const seconds = uniqueSeconds();
        const process = attach(`setsid sleep ${seconds} & echo started; sleep ${seconds}`);
        expect(await readLine(process.stdout)).toBe("started\n");
        await expect.poll(() => countSleepers(seconds), { timeout: 20_000 }).toBe(2);
        await Promise.all([process.kill(), process.kill()]);
        expect(await process.exited).toMatchObject({ end: "aborted", exitCode: null });
        expect(countSleepers(seconds)).toBe(0);
        process.stdin.write("to nobody"); // is dropped
      });

      test("takes what it started with it when it ends by itself", async () => {
        const seconds = uniqueSeconds();
        const process = attach(`sleep ${seconds} & read -r line; exit 0`);
        await expect.poll(() => countSleepers(seconds), { timeout: 20_000 }).toBe(1);
        process.stdin.end("go\n");
        process.stdout.resume();
        expect(await process.exited).toMatchObject({ end: "exited", exitCode: 0 });
        expect(countSleepers(seconds)).toBe(0);
      });

      test("runs beside other commands, which see its files", async () => {
        const process = attach('while read -r line; do echo "$line" > shared; echo written; done');
        process.stdin.write("hello\n");
        expect(await readLine(process.stdout)).toBe("written\n");
        expect((await fixture.run("cat shared")).out).toBe("hello\n");
        process.stdin.write("again\n");
        expect(await readLine(process.stdout)).toBe("written\n");
        await process.kill();
      });

      test("dies with the sandbox, after which none starts", async () => {
        const other = await openFixture(provider);
        const command = { cwd: other.folder, env: { PATH: path } };
        const seconds = uniqueSeconds();
        const process = other.sandbox.attach({ ...command, run: `echo started; sleep ${seconds}` });
        expect(await readLine(process.stdout)).toBe("started\n");
        const failure = expect(process.exited).rejects.toThrow(MillwrightError);
        await other.sandbox.close();
        await failure;
        expect(countSleepers(seconds)).toBe(0);
        await expect(other.sandbox.attach({ ...command, run: "true" }).exited).rejects.toThrow(/closed/);
        await other.remove();
      });

      test("what a killed process of ours left attached is swept", async () => {
        const owner = `attached-${name}-${process.pid}`;
        const seconds = uniqueSeconds();
        const program = fileURLToPath(new URL("sandbox-open-and-die.ts", import.meta.url));
        const temporary = await mkdtemp(join(tmpdir(), "millwright-killed-"));
        const child = spawn(process.execPath, [program, name, owner, String(seconds), "attach"], {
          env: { ...process.env, TMPDIR: temporary },
          stdio: ["ignore", "pipe", "inherit"],
        });
        try {
          await once(child.stdout, "data");
          await expect.poll(() => countSleepers(seconds), { timeout: 20_000 }).toBe(2);
        } finally {
          child.kill("SIGKILL");
          await once(child, "exit");
        }
        const sweepAndCount = async (): Promise<number> => {
          await provider.sweep((candidate) => candidate !== owner);
          return countSleepers(seconds);
        };
        await expect.poll(sweepAndCount, { timeout: 20_000 }).toBe(0);
        await rm(temporary, { recursive: true });
      });
    },
  );
}

async function readLine(stream: Readable): Promise<string> {
  const [chunk] = (await once(stream, "data")) as [Buffer];
  return chunk.toString();
}
