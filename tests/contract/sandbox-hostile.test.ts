/** What code that nobody has read can try: every sandbox ends it, and the next command works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filterPath } from "../../src/sandbox/seccomp.ts";
import { countSleepers, type Fixture, members, openFixture, uniqueSeconds } from "./sandbox-fixture.ts";

const hasPerl = existsSync("/usr/bin/perl");
const hasFilter = filterPath() !== undefined;

/** Numbers on x64 and arm64 (-1: there is no such call), and what the program is told: 1 is EPERM, 38 is ENOSYS. */
const refusedCalls: readonly (readonly [name: string, x64: number, arm64: number, told: number])[] = [
  ["add_key", 248, 217, 1],
  ["request_key", 249, 218, 1],
  ["keyctl", 250, 219, 1],
  ["bpf", 321, 280, 1],
  ["perf_event_open", 298, 241, 1],
  ["userfaultfd", 323, 282, 1],
  ["unshare", 272, 97, 1],
  ["setns", 308, 268, 1],
  ["mount", 165, 40, 1],
  ["fsopen", 430, 430, 1],
  ["name_to_handle_at", 303, 264, 1],
  ["open_by_handle_at", 304, 265, 1],
  ["get_mempolicy", 239, 236, 1],
  ["mbind", 237, 235, 1],
  ["move_pages", 279, 239, 1],
  ["kcmp", 312, 272, 1],
  ["pidfd_getfd", 438, 438, 1],
  ["kexec_load", 246, 104, 1],
  ["init_module", 175, 105, 1],
  ["sethostname", 170, 161, 1],
  ["settimeofday", 164, 170, 1],
  ["syslog", 103, 116, 1],
  ["io_uring_setup", 425, 425, 38],
  ["io_uring_enter", 426, 426, 38],
  ["io_uring_register", 427, 427, 38],
  ["clone3", 435, 435, 38],
  ["vserver, which no list names", 236, -1, 38],
  ["a call that is newer than every list", 999, 999, 38],
];

function numberOf(x64: number, arm64: number): number {
  return process.arch === "arm64" ? arm64 : x64;
}

for (const { provider, name, missing, warnings } of members) {
  describe.skipIf(missing !== undefined)(
    `${name}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
    () => {
      let fixture: Fixture;
      beforeAll(async () => {
        fixture = await openFixture(provider);
      });
      afterAll(() => fixture.remove());

      test("the whole tree dies at the time limit: background, new sessions, daemons, deaf to signals", async () => {
        const seconds = uniqueSeconds();
        const text = `sleep ${seconds} & setsid sleep ${seconds} & (setsid sleep ${seconds} &)
        trap '' TERM HUP INT; (trap '' TERM; nohup sleep ${seconds}) >/dev/null 2>&1 & echo started; sleep ${seconds}`;
        const result = await fixture.run(text, { timeoutMs: 2500 });
        expect(result).toMatchObject({ end: "timed-out", exitCode: null, out: "started\n" });
        expect(countSleepers(seconds)).toBe(0);
      });

      test("what a command leaves in the background is gone when it has ended", async () => {
        const seconds = uniqueSeconds();
        const result = await fixture.run(
          `sleep ${seconds} & setsid sleep ${seconds} & (setsid sleep ${seconds} &); echo done`,
        );
        expect(result).toMatchObject({ end: "exited", exitCode: 0, out: "done\n" });
        expect(countSleepers(seconds)).toBe(0);
      });

      test.skipIf(warnings.includes("hides deliberately"))(
        "a daemon that drops its environment dies too",
        async () => {
          const seconds = uniqueSeconds();
          const result = await fixture.run(`(env -i setsid sleep ${seconds} &) ; sleep 0.2; echo done`);
          expect(result).toMatchObject({ end: "exited", out: "done\n" });
          expect(countSleepers(seconds)).toBe(0);
        },
      );

      test("one of two commands is killed, and the other does not notice", async () => {
        const seconds = uniqueSeconds();
        const [killed, other] = await Promise.all([
          fixture.run(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 500 }),
          fixture.run("i=0; while [ $i -lt 10 ]; do sleep 0.15; i=$((i+1)); done; echo survived $i"),
        ]);
        expect(killed.end).toBe("timed-out");
        expect(other).toMatchObject({ end: "exited", exitCode: 0, out: "survived 10\n" });
        expect(countSleepers(seconds)).toBe(0);
      });

      test.skipIf(name === "local")("a command that kills all it can reach harms itself only", async () => {
        await fixture.run("kill -9 -1; sleep 0.1; echo after");
        await fixture.run('kill -9 1; kill -9 "$PPID"; echo after');
        expect(await fixture.run("echo alive")).toMatchObject({ end: "exited", out: "alive\n" });
      });

      test("300 MB of output cost bounded memory", async () => {
        const bytes = 300 * 1024 ** 2;
        const before = process.memoryUsage().rss;
        let most = before;
        const timer = setInterval(() => {
          most = Math.max(most, process.memoryUsage().rss);
        }, 20);
        const result = await fixture.run(["head", "-c", String(bytes), "/dev/zero"], {
          timeoutMs: 110_000,
        });
        clearInterval(timer);
        expect(result).toMatchObject({ end: "exited", exitCode: 0 });
        expect(result.stdout.totalBytes).toBe(bytes);
        expect(most - before).toBeLessThan(0.8 * bytes);
      });

      test("one line of 40 MB on standard error", async () => {
        const result = await fixture.run("head -c 40000000 /dev/zero | tr '\\0' x >&2; echo >&2");
        expect(result.stderr.totalBytes).toBe(40_000_001);
        expect(result.err.endsWith("xxx\n")).toBe(true);
      });

      test("endless output is ended at the time limit", async () => {
        const result = await fixture.run(["yes"], { timeoutMs: 1000 });
        expect(result.end).toBe("timed-out");
        expect(result.out.startsWith("y\ny\n")).toBe(true);
      });

      describe("at its limits", () => {
        let small: Fixture;
        beforeAll(async () => {
          small = await openFixture(provider, {
            limits: { memoryBytes: 128 * 1024 ** 2, processes: 48, cpus: 1 },
          });
        });
        afterAll(() => small.remove());

        const pidsAreLimited = !warnings.includes("number of processes");
        test.skipIf(!pidsAreLimited)("a fork bomb is held at the limit and dies", async () => {
          const seconds = uniqueSeconds();
          const held = await small.run(
            `i=0; while [ $i -lt 300 ]; do sleep ${seconds} & i=$((i+1)); done; echo all`,
          );
          expect(held.exitCode).not.toBe(0);
          expect(held.out).not.toContain("all");
          const bomb = await small.run("bomb() { bomb | bomb & }; bomb; sleep 1000", { timeoutMs: 700 });
          expect(["timed-out", "exited"]).toContain(bomb.end);
          expect(countSleepers(seconds)).toBe(0);
          expect(await small.run("echo alive")).toMatchObject({ end: "exited", out: "alive\n" });
        });

        test("a program that takes all memory is killed, and that is said", async () => {
          const result = await small.run(["tail", "/dev/zero"]);
          const isSaid = !warnings.includes("memory is limited only per process");
          expect(result.end).toBe(isSaid ? "out-of-memory" : "exited");
          expect(result.exitCode).not.toBe(0);
          expect(await small.run("echo alive")).toMatchObject({ end: "exited", out: "alive\n" });
        });

        test("a child that is killed for memory is told when the command fails by it", async () => {
          const result = await small.run("tail /dev/zero; echo status $? >&2; exit 1");
          const isSaid = !warnings.includes("memory is limited only per process");
          expect(result).toMatchObject({ end: isSaid ? "out-of-memory" : "exited", exitCode: 1 });
        });
      });

      describe.skipIf(!provider.boundary)("the boundary", () => {
        test("there is no network, not even the host's own", async () => {
          const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
          await once(server, "listening");
          const address = server.address();
          const port = typeof address === "object" ? address?.port : 0;
          const result = await fixture.run(["bash", "-c", `cat </dev/tcp/127.0.0.1/${port}`]);
          server.close();
          expect(result.out).toBe("");
          expect(result.exitCode).not.toBe(0);
          const interfaces = await fixture.run("tail -n +3 /proc/net/dev | cut -d: -f1");
          expect(interfaces.out.trim()).toBe("lo");
        });

        test("the host's home, secrets and processes are not there", async () => {
          const files = readdirSync(homedir(), { withFileTypes: true }).filter((entry) => entry.isFile());
          const inside = await fixture.run(["ls", "-A", homedir()]);
          expect(inside.out.split("\n").filter((line) => files.some((file) => file.name === line))).toEqual(
            [],
          );
          expect((await fixture.run(["ls", process.cwd()])).exitCode).not.toBe(0);
          expect((await fixture.run("cat /etc/shadow /etc/gshadow /etc/ssh/*_key 2>/dev/null")).out).toBe("");
          const processes = await fixture.run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
          expect(processes.out).not.toContain("vitest");
          // Paths of the host name the run, and so the task.
          expect(processes.out).not.toContain(`${dirname(fixture.folder)}/state-`);
        });

        test("nothing outside the mounts, /tmp and the home folder can be written", async () => {
          const places = [
            "/",
            "/usr",
            "/etc",
            "/opt",
            "/var",
            "/home",
            "/proc/sys/kernel/hostname",
            "/proc/sysrq-trigger",
          ];
          const text = places
            .map(
              (place) =>
                `if [ -d ${place} ]; then touch ${place}/x; else echo x > ${place}; fi 2>/dev/null && echo ${place}`,
            )
            .join("; ");
          expect((await fixture.run(text)).out).toBe("");
        });

        test("privileges cannot be gained", async () => {
          const status = await fixture.run("cat /proc/self/status");
          expect(status.out).toMatch(/^CapEff:\t0+$/m);
          expect(status.out).toMatch(/^NoNewPrivs:\t1$/m);
          expect((await fixture.run("mount -t tmpfs none /tmp")).exitCode).not.toBe(0);
          const nested =
            "mount -o remount,rw /proc/sys; mount -t proc none /proc; echo x > /proc/sys/kernel/hostname";
          expect((await fixture.run(["unshare", "-Urmp", "--fork", "sh", "-c", nested])).exitCode).not.toBe(
            0,
          );
        });
      });

      describe.skipIf(!provider.boundary || !hasFilter || !hasPerl)("system calls", () => {
        test("each call that no list allows is refused or absent", async () => {
          const here = refusedCalls.filter(([, x64, arm64]) => numberOf(x64, arm64) !== -1);
          const calls = here.map(([, x64, arm64]) => numberOf(x64, arm64)).join(", ");
          const text = `for my $call (${calls}) { $! = 0; my $end = syscall($call, 0, 0, 0, 0, 0); print $end == -1 ? $! + 0 : "done", "\\n" }`;
          const told = (await fixture.run(["perl", "-e", text])).out.split("\n");
          expect(Object.fromEntries(here.map(([name], index) => [name, told[index]]))).toEqual(
            Object.fromEntries(here.map(([name, , , expected]) => [name, String(expected)])),
          );
        });

        test("a new user namespace by clone is refused, a child is not", async () => {
          const flags = 0x10000000 | 17;
          const text = `$! = 0; print syscall(${numberOf(56, 220)}, ${flags}, 0, 0, 0, 0) == -1 ? $! + 0 : "done"`;
          expect((await fixture.run(["perl", "-e", text])).out).toBe("1");
          expect((await fixture.run("(echo child)")).out).toBe("child\n");
        });

        test("no socket to the machine below, however its family is written; a socket to a process is none such", async () => {
          const families = "40, (1 << 32) + 40, 1";
          const text = `for my $family (${families}) { $! = 0; my $end = syscall(${numberOf(41, 198)}, $family, 1, 0); print $end == -1 ? $! + 0 : "done", " " }`;
          expect((await fixture.run(["perl", "-e", text])).out).toMatch(/^1 (?:1|38) done $/);
        });

        test("a program may debug its own children", async () => {
          const text = `my $child = fork; if (!$child) { exit(syscall(${numberOf(101, 117)}, 0, 0, 0, 0) == 0 ? 7 : 8) }
            waitpid($child, 0); print $? >> 8`;
          expect((await fixture.run(["perl", "-e", text])).out).toBe("7");
        });

        test("nobody debugs the sandbox's first process, however its number is written; a sibling is debugged", async () => {
          // PTRACE_ATTACH stops it.
          const numbers = "1, (1 << 32) + 1";
          const attach = `for my $number (${numbers}) { $! = 0; my $end = syscall(${numberOf(101, 117)}, 16, $number, 0, 0); print $end == -1 ? $! + 0 : "done", " " }`;
          const read = `$! = 0; my $end = syscall(${numberOf(310, 270)}, 1, 0, 0, 0, 0, 0); print $end == -1 ? $! + 0 : "done", " "`;
          const sibling = `my $child = fork; if (!$child) { sleep 100 } print syscall(${numberOf(101, 117)}, 0x4206, $child, 0, 0) == 0 ? "done" : $! + 0; kill 9, $child`;
          const result = await fixture.run(["perl", "-e", `${attach}; ${read}; ${sibling}`], {
            timeoutMs: 10_000,
          });
          expect(result).toMatchObject({ end: "exited", out: "1 1 1 done" });
        });
      });

      test("what the sandbox of a killed run left is swept", async () => {
        const owner = `killed-${name}-${process.pid}`;
        const seconds = uniqueSeconds();
        const program = fileURLToPath(new URL("sandbox-open-and-die.ts", import.meta.url));
        const temporary = await mkdtemp(join(tmpdir(), "millwright-killed-"));
        const child = spawn(process.execPath, [program, name, owner, String(seconds)], {
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
        const isAlive = (candidate: string): boolean => candidate !== owner;
        const sweepAndCount = async (): Promise<number> => {
          await provider.sweep(isAlive);
          return countSleepers(seconds);
        };
        await expect.poll(sweepAndCount, { timeout: 20_000 }).toBe(0);
        await expect.poll(() => provider.sweep(isAlive), { timeout: 20_000 }).toEqual([]);
        await rm(temporary, { recursive: true });
      });
    },
  );
}
