/** The Docker daemon goes away: during a command, between commands, in a clean way and by SIGKILL. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import docker from "../../src/sandbox/docker.ts";
import { type Fixture, openFixture } from "../contract/sandbox-fixture.ts";
import { daemonProblem, type OwnDaemon, prepareDaemon } from "./own-daemon.ts";

describe.skipIf(daemonProblem !== undefined)(
  `daemon restart${daemonProblem ? ` (skipped: ${daemonProblem})` : ""}`,
  () => {
    const usual = process.env["DOCKER_HOST"];
    let daemon: OwnDaemon;
    beforeAll(async () => {
      daemon = await prepareDaemon();
      process.env["DOCKER_HOST"] = daemon.address;
      await daemon.start();
    });
    afterAll(async () => {
      await daemon.remove();
      if (usual === undefined) delete process.env["DOCKER_HOST"];
      else process.env["DOCKER_HOST"] = usual;
    });

    async function withSandbox(body: (fixture: Fixture) => Promise<void>): Promise<void> {
      const fixture = await openFixture(docker, {
        mounts: async (root) => [
          { mode: "overlay", source: "/usr/share", changes: join(root, "changes"), target: "/mnt/overlay" },
        ],
      });
      try {
        await body(fixture);
      } finally {
        await fixture.remove();
      }
    }

    const start = async (
      { run, folder }: Fixture,
      timeoutMs = 100_000,
    ): Promise<{ failure: Promise<unknown> }> => {
      const failure = run("echo x > started; sleep 100000", { timeoutMs }).catch((error: unknown) => error);
      await expect
        .poll(() => stat(join(folder, "started")).catch(() => undefined), { timeout: 20_000 })
        .toBeDefined();
      return { failure };
    };

    test.each(["SIGTERM", "SIGKILL"] as const)("during a command, by %s: a clear failure", async (signal) => {
      await withSandbox(async (fixture) => {
        const { failure } = await start(fixture);
        await daemon.stop(signal);
        const error = await failure;
        expect(error).toBeInstanceOf(MillwrightError);
        expect(error).toMatchObject({ code: "sandbox", hint: expect.stringMatching(/daemon/) });
        await expect(fixture.run("true")).rejects.toMatchObject({ code: "sandbox" });
        await daemon.start();
      });
      expect(await docker.sweep(() => true)).toEqual([]);
    });

    test("between commands: the next one runs, with the files of the one before", async () => {
      await withSandbox(async (fixture) => {
        await fixture.run("echo kept > /tmp/kept; echo changed > /mnt/overlay/changed");
        await daemon.stop("SIGTERM");
        await daemon.start();
        const next = await fixture.run("cat /tmp/kept /mnt/overlay/changed");
        expect(next).toMatchObject({ end: "exited", exitCode: 0, out: "kept\nchanged\n" });
      });
    });

    test("no daemon: the probe says so, and opening fails with a hint", async () => {
      await daemon.stop("SIGTERM");
      expect(await docker.probe()).toMatchObject({
        available: false,
        reason: expect.stringMatching(/daemon/),
      });
      await expect(openFixture(docker)).rejects.toMatchObject({ code: "sandbox", hint: expect.any(String) });
      expect(await docker.sweep(() => false)).toEqual([]);
      await daemon.start();
    });

    test("the daemon hangs during a command: a clear failure at the time limit", async () => {
      await withSandbox(async (fixture) => {
        const { failure } = await start(fixture, 3000);
        daemon.pause();
        expect(await failure).toMatchObject({ code: "sandbox", hint: expect.stringMatching(/daemon/) });
        daemon.resume();
        expect(await fixture.run("echo alive")).toMatchObject({ end: "exited", out: "alive\n" });
      });
    });

    test("the container is killed during a command: a clear failure, and the next command runs", async () => {
      const { default: Docker } = await import("dockerode");
      await withSandbox(async (fixture) => {
        const { failure } = await start(fixture);
        const client = new Docker();
        for (const { Id: id } of await client.listContainers()) await client.getContainer(id).kill();
        expect(await failure).toMatchObject({
          code: "sandbox",
          message: expect.stringContaining("container ended"),
        });
        expect(await fixture.run("echo alive")).toMatchObject({ end: "exited", out: "alive\n" });
      });
    });
  },
);
