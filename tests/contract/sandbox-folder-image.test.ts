/** Bubblewrap with images that are folders: a root folder made of programs of this machine, and layers over it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import { readTextIfRegular } from "../../src/base/regular-file.ts";
import { buildFolderLayer, openBubblewrap } from "../../src/sandbox/bubblewrap-open.ts";
import type { ImageLayer, Sandbox } from "../../src/sandbox/contract.ts";
import { makeRootFolder } from "../docker-image.ts";
import { members, openFixture } from "./sandbox-fixture.ts";

const bubblewrap = members.find(({ name }) => name === "bubblewrap");
const missing = bubblewrap === undefined ? "there is no such sandbox" : bubblewrap.missing;
const limits = { memoryBytes: 1024 ** 3, cpus: 2, processes: 200 };
const { signal } = new AbortController();

let folder: string;
let base: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millwright-folder-image-"));
  base = join(folder, "base");
  const programs = ["sh", "env", "cat", "ls", "id", "mkdir", "rm", "touch", "mknod"];
  makeRootFolder(base, { programs, files: { "/opt/file": "own\n", "/opt/old": "old\n" } });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function nextFolder(): string {
  count += 1;
  const state = join(folder, `state-${count}`);
  mkdirSync(state);
  return state;
}

async function build(name: string, from: string, run: string, hasOverlays: boolean): Promise<string> {
  const layer: ImageLayer = {
    ...{ name: join(folder, "millwright-built", name), from, run, files: undefined },
    ...{ stateDirectory: nextFolder(), variables: {}, limits, limitMs: 60_000 },
  };
  await buildFolderLayer(layer, signal, hasOverlays);
  return layer.name;
}

async function show(image: string, run: string, hasOverlays: boolean): Promise<string> {
  const spec = { owner: "test", mounts: [], stateDirectory: nextFolder(), network: false, limits, image };
  const sandbox: Sandbox = await openBubblewrap(spec, { builds: false, hasOverlays });
  try {
    const result = await sandbox.execute({ run, cwd: "/", env: { PATH: "/usr/bin" }, timeoutMs: 20_000 });
    return renderOutput(result.stdout) + renderOutput(result.stderr);
  } finally {
    await sandbox.close();
  }
}

const kinds = [true, false].filter((hasOverlays) => !hasOverlays || bubblewrap?.mounts === "overlay");
describe.skipIf(missing !== undefined)(`images in folders${missing ? ` (skipped: ${missing})` : ""}`, () => {
  for (const hasOverlays of kinds) {
    test(`layers keep a step's changes, ${hasOverlays ? "with overlays" : "with hard links"}`, async () => {
      const tag = hasOverlays ? "overlay" : "links";
      const first = await build(
        `${tag}-1`,
        base,
        "echo new >/opt/new; rm /opt/old; id -u >/opt/user",
        hasOverlays,
      );
      const second = await build(`${tag}-2`, first, "cat /opt/new /opt/file >/opt/both", hasOverlays);
      expect(await show(second, "cat /opt/both /opt/user; ls /opt", hasOverlays)).toBe(
        "new\nown\n0\nboth\nfile\nnew\nuser\n",
      );
      expect(await show(first, "ls /opt", hasOverlays)).toBe("file\nnew\nuser\n");
      expect(readdirSync(join(base, "opt")).sort()).toEqual(["file", "old"]);
    });

    test(`a command changes no layer, ${hasOverlays ? "with overlays" : "with hard links"}`, async () => {
      const layer = await build(`quiet-${hasOverlays}`, base, "echo kept >/opt/kept", hasOverlays);
      await show(layer, "echo lost >/opt/kept; rm -f /opt/file; touch /opt/more", hasOverlays);
      expect(await show(layer, "cat /opt/kept /opt/file; ls /opt", hasOverlays)).toBe(
        "kept\nown\nfile\nkept\nold\n",
      );
    });
  }

  test("a layer without overlays shares the files of the image below", async () => {
    const first = await build("shared-1", base, ":", false);
    const second = await build("shared-2", first, ":", false);
    const place = (layer: string) => statSync(join(layer, "files/opt/file")).ino;
    expect(place(second)).toBe(place(first));
    expect(place(first)).not.toBe(statSync(join(base, "opt/file")).ino);
  });

  test.skipIf(bubblewrap?.mounts !== "overlay")("layers lie over the host's own programs", async () => {
    const layer = await build(
      "host",
      "/",
      "mkdir /opt/millwright-test; echo mine >/opt/millwright-test/file",
      true,
    );
    expect(existsSync("/opt/millwright-test")).toBe(false);
    expect(await show(layer, "cat /opt/millwright-test/file; ls /usr/bin/env", true)).toBe(
      "mine\n/usr/bin/env\n",
    );
    expect(await show(layer, "touch /opt/more", true)).toContain("Read-only file system");
  });

  test("a second build of a layer leaves the first in its place, and replaces the rest of a removed one", async () => {
    const first = await build("twice", base, "echo 1 >/opt/count", false);
    await build("twice", base, "echo 2 >/opt/count", false);
    expect(readFileSync(join(first, "files/opt/count"), "utf8")).toBe("1\n");
    rmSync(join(first, "layer.json"));
    await build("twice", base, "echo 3 >/opt/count", false);
    expect(readFileSync(join(first, "files/opt/count"), "utf8")).toBe("3\n");
  });

  test("other users do not reach a layer's programs, and a step makes no device", async () => {
    const step = "mknod /opt/device b 1 1 2>/dev/null || echo refused >/opt/answer";
    const layer = await build("private", base, step, false);
    expect(statSync(join(layer, "..")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(layer, "files/opt/answer"), "utf8")).toBe("refused\n");
  });

  test("a failed step leaves no layer, and its error has the output", async () => {
    await expect(build("failed", base, "echo no such thing >&2; exit 3", true)).rejects.toMatchObject({
      code: "repository",
      message: expect.stringContaining("(exit code 3): no such thing"),
    });
    expect(existsSync(join(folder, "millwright-built", "failed"))).toBe(false);
  });

  test.skipIf(bubblewrap?.mounts !== "overlay")("an error before the start leaves no process", async () => {
    const stateDirectory = nextFolder();
    mkdirSync(join(stateDirectory, "bubblewrap-arguments")); // a folder at the place of a file
    const spec = { owner: "test", mounts: [], stateDirectory, network: false, limits, image: base };
    await expect(openBubblewrap(spec, { builds: false, hasOverlays: true })).rejects.toMatchObject({
      code: "EISDIR",
    });
    expect(commandLines().filter((line) => line.includes(stateDirectory))).toEqual([]);
  });

  test("an image of a registry is an error that says how to get it", async () => {
    const error: unknown = await openFixture(opened(), { image: "no/such:image" }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "sandbox", hint: expect.stringContaining("absolute path") });
  });

  test("the store finds layers by their chain, and a removed layer below hides them", async () => {
    const { images } = opened();
    const first = await build("chain-1", base, "echo 1 >/opt/one", true);
    const second = await build("chain-2", first, "echo 2 >/opt/two", true);
    expect((await images?.find(second))?.id).toBe(
      JSON.parse(readFileSync(join(second, "layer.json"), "utf8")).id,
    );
    await images?.remove(first);
    expect(await images?.find(second)).toBeUndefined();
    await images?.remove(base);
    expect(existsSync(base)).toBe(true);
  });
});

/** Returns the command lines of all processes. */
function commandLines(): string[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map((name) => readTextIfRegular(`/proc/${name}/cmdline`) ?? "");
}

function opened(): NonNullable<typeof bubblewrap>["provider"] {
  if (bubblewrap === undefined) throw new Error("bubblewrap is not among the sandboxes");
  return bubblewrap.provider;
}
