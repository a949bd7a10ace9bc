/** What every sandbox promises of a command: what it gets, what it returns, how it ends. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { wholeOutput } from "../../src/base/captured-output.ts";
import { MillwrightError } from "../../src/base/errors.ts";
import { selectSandbox } from "../../src/sandbox/index.ts";
import { type Fixture, members, openFixture } from "./sandbox-fixture.ts";

for (const { provider, name, missing } of members) {
  describe.skipIf(missing !== undefined)(
    `${name}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    () => {
      let fixture: Fixture;
      beforeAll(async () => {
        fixture = await openFixture(provider);
      });
      afterAll(() => fixture.remove());

      test("runs a program with its arguments as they are", async () => {
        const result = await fixture.run(["printf", "%s|", "a b", "$HOME", "", "'\"\\", "größe\n"]);
        expect(result).toMatchObject({
          end: "exited",
          exitCode: 0,
          out: "a b|$HOME||'\"\\|größe\n|",
          err: "",
        });
      });

      test("runs shell text, and keeps the two streams apart", async () => {
        const result = await fixture.run("echo out; echo err >&2; exit 3");
        expect(result).toMatchObject({ end: "exited", exitCode: 3, out: "out\n", err: "err\n" });
      });

      test("gives the command its working folder", async () => {
        const folder = join(fixture.folder, "a b, ü:\\'\"");
        await mkdir(folder);
        expect(await fixture.run(["pwd", "-P"], { cwd: folder })).toMatchObject({ out: `${folder}\n` });
      });

      test("says that a working folder is not there", async () => {
        const result = await fixture.run(["true"], { cwd: "/does/not/exist" });
        expect(result).toMatchObject({ end: "exited", exitCode: 126 });
        expect(result.err).toContain("/does/not/exist");
      });

      test("gives the command its environment and nothing else", async () => {
        vi.stubEnv("MILLWRIGHT_TEST_SECRET", "leaked");
        const env = { ONE: "1", TWO: "a b\nc=d", "odd.name": "x" };
        const result = await fixture.run(["/usr/bin/env", "-0"], { env });
        const variables = result.out
          .split("\0")
          .filter((line) => line !== "" && !line.startsWith("MILLWRIGHT_COMMAND_OWNER="));
        expect(variables.toSorted()).toEqual(["ONE=1", "TWO=a b\nc=d", "odd.name=x"]);
      });

      test("closes standard input", async () => {
        expect(await fixture.run("cat; echo read $?")).toMatchObject({ exitCode: 0, out: "read 0\n" });
      });

      test("ends as a shell has it for a program that is missing or cannot be executed", async () => {
        await writeFile(join(fixture.folder, "data"), "no program");
        await chmod(join(fixture.folder, "data"), 0o644);
        const [absent, unusable, text] = await Promise.all([
          fixture.run(["no-such-program"]),
          fixture.run([join(fixture.folder, "data")]),
          fixture.run("no-such-program"),
        ]);
        expect([absent.exitCode, unusable.exitCode, text.exitCode]).toEqual([127, 126, 127]);
        expect([absent.end, unusable.end, text.end]).toEqual(["exited", "exited", "exited"]);
      });

      test("tells a signal from an exit code, and git's 129 from a signal", async () => {
        const ends = await Promise.all(
          ["kill -SEGV $$", "kill -KILL $$", "exit 129", "exit 255"].map((text) => fixture.run(text)),
        );
        expect(ends.map(({ end, exitCode }) => [end, exitCode])).toEqual([
          ["signalled", 139],
          ["signalled", 137],
          ["exited", 129],
          ["exited", 255],
        ]);
      });

      test("refuses arguments that are too long for the kernel, without throwing", async () => {
        const result = await fixture.run(["true", "x".repeat(200_000)]);
        expect(result).toMatchObject({ end: "exited", exitCode: 126 });
        expect(result.err).toContain("too long");
      });

      test("keeps binary output byte for byte", async () => {
        const bytes = randomBytes(300_000);
        await writeFile(join(fixture.folder, "bytes"), bytes);
        const result = await fixture.run(["cat", "bytes"]);
        expect(wholeOutput(result.stdout)?.equals(bytes)).toBe(true);
      });

      test("keeps bytes that are no UTF-8, and shows them as such", async () => {
        const result = await fixture.run("printf 'a\\377\\376z'");
        expect(wholeOutput(result.stdout)).toEqual(Buffer.from([0x61, 0xff, 0xfe, 0x7a]));
        expect(result.out).toBe("a\ufffd\ufffdz");
      });

      test("keeps the first and the last bytes of what is too much", async () => {
        const result = await fixture.run("echo first; head -c 100000 /dev/zero; echo last", {
          outputBytes: 1000,
        });
        expect(result.stdout.totalBytes).toBe(100_011);
        expect(result.stdout.head.length + result.stdout.tail.length).toBe(1000);
        expect(result.out.startsWith("first\n")).toBe(true);
        expect(result.out.endsWith("last\n")).toBe(true);
      });

      test("writes files as the user who called", async () => {
        await fixture.run("echo made > made; mkdir deep; echo x > deep/x");
        const owner = (await stat(join(fixture.folder, "deep/x"))).uid;
        expect(await readFile(join(fixture.folder, "made"), "utf8")).toBe("made\n");
        expect(owner).toBe(process.getuid?.());
      });

      test("keeps /tmp and the home folder from one command to the next", async () => {
        const { home } = fixture.sandbox;
        const file = `/tmp/millwright-kept-${process.pid}`;
        await fixture.run(`echo kept > ${file}`);
        expect((await fixture.run(`cat ${file}; rm ${file}`)).out).toBe("kept\n");
        expect((await fixture.run('test -w "$HOME" && echo writable', { env: { HOME: home } })).out).toBe(
          "writable\n",
        );
      });

      test("ends a command at once when its signal fires", async () => {
        const controller = new AbortController();
        const running = fixture.run("echo started > started; sleep 1000", { signal: controller.signal });
        await expect
          .poll(() => stat(join(fixture.folder, "started")).catch(() => undefined), { timeout: 20_000 })
          .toBeDefined();
        controller.abort();
        expect(await running).toMatchObject({ end: "aborted", exitCode: null });
        const late = await fixture.run("echo never", { signal: controller.signal });
        expect(late).toMatchObject({ end: "aborted", exitCode: null, out: "" });
      });

      test("a sweep leaves alone what a living process made, whoever its owner is", async () => {
        const running = fixture.run("echo started > begun; sleep 1; echo survived");
        await expect
          .poll(() => stat(join(fixture.folder, "begun")).catch(() => undefined), { timeout: 20_000 })
          .toBeDefined();
        await provider.sweep(() => false);
        expect(await running).toMatchObject({ end: "exited", out: "survived\n" });
      });

      test("ends running commands when it is closed, and can be closed twice", async () => {
        const other = await openFixture(provider);
        const running = other.run("echo started > started; sleep 1000");
        const failure = expect(running).rejects.toThrow(MillwrightError);
        await expect
          .poll(() => stat(join(other.folder, "started")).catch(() => undefined), { timeout: 20_000 })
          .toBeDefined();
        await Promise.all([other.sandbox.close(), other.sandbox.close()]);
        await failure;
        await expect(other.run("true")).rejects.toThrow(/closed/);
        await other.remove();
      });
    },
  );
}

describe("selection", () => {
  const provider = (name: string, strength: number, available: boolean) => ({
    name,
    strength,
    description: "",
    boundary: true,
    probe: async () =>
      available
        ? { available, detail: "", warnings: [], mounts: "bind" as const }
        : { available, reason: `${name} is broken`, remedy: `repair ${name}` },
    open: () => Promise.reject(new Error("not opened here")),
    sweep: async () => [],
  });
  const providers = [provider("weak", 1, true), provider("strong", 3, false), provider("medium", 2, true)];

  test("auto takes the strongest that works, and says what it passed over", async () => {
    const selected = await selectSandbox("auto", providers);
    expect(selected.provider.name).toBe("medium");
    expect(selected.passedOver).toMatchObject([{ name: "strong", reason: "strong is broken" }]);
  });

  test("a named one that does not work is an error with the reason and what to do", async () => {
    await expect(selectSandbox("strong", providers)).rejects.toMatchObject({
      code: "sandbox",
      message: expect.stringContaining("strong is broken"),
      hint: "repair strong",
    });
  });

  test("a name that does not exist is wrong usage", async () => {
    await expect(selectSandbox("podman", providers)).rejects.toMatchObject({ code: "usage" });
  });
});
