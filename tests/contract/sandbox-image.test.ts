/** Docker with an image of the user's, made here from a few programs of this machine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import { makeImage, removeImage } from "../docker-image.ts";
import { type Fixture, members, openFixture } from "./sandbox-fixture.ts";

const docker = members.find(({ name }) => name === "docker");
const missing = docker === undefined ? "there is no such sandbox" : docker.missing;
const programs = ["sh", "env", "cat", "ls", "id"];
const image = `millwright-test-image:${process.pid}`;

describe.skipIf(missing !== undefined)(
  `docker with an image${missing ? ` (skipped: ${missing})` : ""}`,
  () => {
    let fixture: Fixture;
    beforeAll(async () => {
      await makeImage({
        name: image,
        programs,
        files: { "/opt/file": "own\n" },
        changes: [
          "ENV PATH=/own/bin:/usr/bin",
          "ENV FLAVOUR=plain=vanilla",
          'ENTRYPOINT ["/no/such/program"]',
        ],
      });
      fixture = await openFixture(opened().provider, { image });
    });
    afterAll(async () => {
      await fixture?.remove();
      await removeImage(image);
    });

    test("commands see its files, and nothing of the host", async () => {
      expect((await fixture.run(["cat", "/opt/file"])).out).toBe("own\n");
      expect((await fixture.run("ls /etc/passwd /root/.bashrc /home; python3 -V")).exitCode).not.toBe(0);
    });

    test("its variables are offered, and reach a command only when the caller passes them on", async () => {
      expect(fixture.sandbox.environment).toEqual({ PATH: "/own/bin:/usr/bin", FLAVOUR: "plain=vanilla" });
      expect((await fixture.run(["/usr/bin/env"], { env: { ONE: "1" } })).out).toBe("ONE=1\n");
    });

    test("commands are the calling user, and can write the mounts and the home folder", async () => {
      expect((await fixture.run(["id", "-u"])).out.trim()).toBe(String(process.getuid?.()));
      const result = await fixture.run('echo x > "$HOME/x" && echo y > y && cat "$HOME/x" y', {
        env: { HOME: fixture.sandbox.home, PATH: "/usr/bin" },
      });
      expect(result.out).toBe("x\ny\n");
    });

    test("an image that is not there is an error that says how to get it", async () => {
      const error: unknown = await openFixture(opened().provider, { image: "no/such:image" }).catch(
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(MillwrightError);
      expect(error).toMatchObject({
        code: "sandbox",
        hint: expect.stringContaining("docker pull no/such:image"),
      });
    });
  },
);

for (const { provider, name } of members.filter((member) => !member.missing && !member.provider.images)) {
  test(`${name} refuses an image`, async () => {
    await expect(openFixture(provider, { image: "any" })).rejects.toMatchObject({ code: "sandbox" });
  });
}

function opened(): NonNullable<typeof docker> {
  if (docker === undefined) throw new Error("docker is not among the sandboxes");
  return docker;
}
