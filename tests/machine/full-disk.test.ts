/** The disk is full, on small file systems of the tests' own: commands fail in a way that can be read, nothing hangs. */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import { fetchTasks } from "../../src/bench/hub/fetch-tasks.ts";
import docker from "../../src/sandbox/docker.ts";
import { gitFailure } from "../../src/workspace/git.ts";
import { members, openFixture } from "../contract/sandbox-fixture.ts";
import { startHub } from "../dataset-hub.ts";
import { createPlayground } from "../e2e/millwright.ts";
import { daemonProblem, prepareDaemon } from "./own-daemon.ts";
import { fill, mountSmallDisk, removeDisk } from "./small-disk.ts";

const problem = process.getuid?.() === 0 ? undefined : "needs root to mount a file system";

test.skipIf(problem !== undefined)(
  "git that could not write is told of a full disk where there is none left",
  async () => {
    const disk = await mountSmallDisk("size=1m");
    try {
      const said = "error: cannot update ref 'refs/heads/base': couldn't write 'store/refs/heads/base.lock'";
      const tell = () => gitFailure({ gitDirectory: disk, arguments: ["fast-import"] }, said).message;
      expect(tell()).toContain("git fast-import failed");
      await fill(disk);
      expect(tell()).not.toContain("git fast-import failed");
    } finally {
      await removeDisk(disk);
    }
  },
);

test.skipIf(problem !== undefined)(
  "a disk that fills during a download fails it; later it continues",
  async () => {
    const disk = await mountSmallDisk("size=1m");
    const hub = await startHub("acme/tasks");
    try {
      const content = Buffer.alloc(2 ** 19, "{}\n");
      hub.commit({ "rows.jsonl": content });
      hub.faults.stallsAfter = 100_000;
      const source = { dataset: "acme/tasks", revision: "main", files: undefined };
      const fetching = () =>
        fetchTasks(source, join(disk, "cache"), { endpoint: hub.endpoint, token: undefined, pauseMs: 1 });
      const first = expect(fetching()).rejects.toMatchObject({
        ...{ code: "disk", message: expect.stringContaining("ENOSPC") },
      });
      const sizes = (): number[] =>
        readdirSync(disk, { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".part"))
          .map((name) => statSync(join(disk, name)).size);
      while (!sizes().includes(100_000)) await delay(20);
      await fill(disk);
      hub.faults.stallsAfter = undefined;
      hub.cut();
      await first;
      await expect(fetching()).rejects.toMatchObject({ code: "disk" });
      for (const name of readdirSync(disk).filter((each) => each.startsWith("fill-")))
        rmSync(join(disk, name));
      const { path } = await fetching();
      expect(readFileSync(path)).toEqual(content);
      expect(hub.asked).toHaveLength(3);
    } finally {
      await hub.close();
      await removeDisk(disk);
    }
  },
);

describe.skipIf(problem !== undefined)(`full disk${problem ? ` (skipped: ${problem})` : ""}`, () => {
  let disk: string;
  beforeAll(async () => {
    disk = await mountSmallDisk("size=16m");
  });
  afterAll(() => removeDisk(disk));

  for (const { provider, name, missing, mounts } of members) {
    test.skipIf(missing !== undefined)(
      `${name}: a command that fills its folder fails, and the next one runs`,
      async () => {
        const folder = await mkdtemp(join(disk, "full-"));
        const fixture = await openFixture(provider, {
          mounts: async () => [{ mode: "read-write", source: folder, target: folder }],
        });
        try {
          const result = await fixture.run(["dd", "if=/dev/zero", `of=${folder}/big`, "bs=1M", "count=100"]);
          expect(result).toMatchObject({
            end: "exited",
            exitCode: 1,
            err: expect.stringContaining("No space left"),
          });
          expect(await fixture.run(`rm ${folder}/big && echo freed`)).toMatchObject({
            exitCode: 0,
            out: "freed\n",
          });
        } finally {
          await fixture.remove();
          await rm(folder, { recursive: true });
        }
      },
    );

    test.skipIf(missing !== undefined || mounts !== "overlay")(
      `${name}: the disk of an overlay's changes is full`,
      async () => {
        const changes = await mkdtemp(join(disk, "changes-"));
        const fixture = await openFixture(provider, {
          mounts: async () => [{ mode: "overlay", source: "/usr/share", changes, target: "/work" }],
        });
        try {
          const result = await fixture.run("head -c 100M /dev/zero > /work/big; echo status $?");
          expect(result).toMatchObject({ end: "exited", err: expect.stringContaining("No space left") });
        } finally {
          await fixture.remove();
          await rm(changes, { recursive: true });
        }
      },
    );

    test.skipIf(missing !== undefined || mounts === "none")(
      `${name}: no space for the sandbox's own files`,
      async () => {
        // As many files as the sandbox's own folder and a few more.
        const small = await mountSmallDisk("size=1m,nr_inodes=5");
        const stateDirectory = await mkdtemp(join(small, "state-"));
        try {
          const limits = { memoryBytes: 2 ** 28, cpus: 1, processes: 64 };
          const opening = provider.open({
            owner: "full",
            mounts: [],
            stateDirectory,
            network: false,
            limits,
          });
          const error: unknown = await opening.then(
            (sandbox) => sandbox.close(),
            (reason: unknown) => reason,
          );
          expect(error).toBeInstanceOf(MillwrightError);
          expect(error).toMatchObject({ code: "disk", message: expect.stringMatching(/ENOSPC/) });
        } finally {
          await removeDisk(small);
        }
      },
    );
  }

  test.for(["64k", "256k", "600k", "1500k"])(
    "a run whose disk has %s ends in words, and can be gone on with",
    async (size) => {
      const playground = createPlayground();
      const repository = playground.copyRepository("repair-python");
      const small = await mountSmallDisk(`size=${size}`);
      try {
        const arguments_ = ["solve", "--repo", repository, "--runs-dir", small, "--sandbox", "local"];
        const end = await playground.start(arguments_).ended;
        expect([0, 3]).toContain(end.exitCode);
        expect(end.stderr).not.toMatch(/defect of Millwright|^ {4}at /m);
        if (end.exitCode === 3) expect(end.stderr).toMatch(/space|disk/i);
      } finally {
        await removeDisk(small);
        playground.remove();
      }
    },
  );

  test.skipIf(daemonProblem !== undefined)("docker: the daemon's own disk is full", async () => {
    const data = await mountSmallDisk("size=64m");
    const daemon = await prepareDaemon(data);
    const usual = process.env["DOCKER_HOST"];
    process.env["DOCKER_HOST"] = daemon.address;
    try {
      await daemon.start();
      await mkdir(join(data, "filler"));
      await fill(join(data, "filler"));
      const error: unknown = await openFixture(docker).then(
        (fixture) => fixture.remove(),
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(MillwrightError);
      expect(String(error)).toMatch(/no space left/i);
    } finally {
      if (usual === undefined) delete process.env["DOCKER_HOST"];
      else process.env["DOCKER_HOST"] = usual;
      await daemon.remove();
      await removeDisk(data);
    }
  });
});
