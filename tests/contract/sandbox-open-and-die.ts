/** A program that opens a sandbox, runs a command for ever in it, and says so: the tests kill it. Arguments: sandbox, owner, seconds. */
import { members, openFixture, path } from "./sandbox-fixture.ts";

const [name, owner = "", seconds = "", how] = process.argv.slice(2);
const member = members.find((candidate) => candidate.name === name);
if (member === undefined) throw new Error(`no sandbox ${name}`);
const { sandbox, run, folder } = await openFixture(member.provider, {
  owner,
  mounts: async (root) =>
    member.mounts === "overlay"
      ? [{ mode: "overlay", source: "/usr/share", changes: `${root}/changes`, target: "/mnt/overlay" }]
      : [],
});
const text = `setsid sleep ${seconds} & sleep ${seconds}`;
const running =
  how === "attach"
    ? sandbox.attach({ run: text, cwd: folder, env: { PATH: path } }).exited
    : run(text, { timeoutMs: 600_000 });
console.log(sandbox.name);
await running;
