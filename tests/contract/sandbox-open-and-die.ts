/** A program that opens a sandbox, runs a command for ever in it, and says so: the tests kill it. Arguments: sandbox, owner, seconds. */
import { members, openFixture } from "./sandbox-fixture.ts";

const [name, owner = "", seconds = ""] = process.argv.slice(2);
const member = members.find((candidate) => candidate.name === name);
if (member === undefined) throw new Error(`no sandbox ${name}`);
const { sandbox, run } = await openFixture(member.provider, {
  owner,
  mounts: async (root) =>
    member.mounts === "overlay"
      ? [{ mode: "overlay", source: "/usr/share", changes: `${root}/changes`, target: "/mnt/overlay" }]
      : [],
});
const running = run(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 600_000 });
console.log(sandbox.name);
await running;
