/**
 * Grades cheating patches, as `bench grade` would. `leaked-environment` covers cheats that search the environment and
 * git's history.
 */
import { countOf } from "../../base/count.ts";
import { withCheckout } from "../../bench/open-task.ts";
import { hiddenTests } from "../../bench/protocols/hidden-tests.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { Finding } from "../contract.ts";
import { taskOf } from "../validate.ts";
import { fillCheat, type HookCheat, hookCheats } from "./cheats.ts";
import { decide, type Place } from "./place.ts";

export async function judgeCheats(
  place: Pick<Place, "asked" | "open" | "plan">,
  cheats = hookCheats[place.asked.change.language] ?? [],
): Promise<Finding> {
  for (const cheat of cheats)
    if (await resolves(place, cheat))
      return decide("cheatable", `a patch ${cheat.name} resolves the task without the fix`, "");
  if (cheats.length === 0)
    return decide("cheatable", undefined, `no cheat is known for ${place.asked.change.language}`);
  const tried = `${countOf(cheats.length, "patch", "patches")} that attack the tests' runner ${cheats.length === 1 ? "does" : "do"} not resolve the task`;
  const found = decide("cheatable", undefined, tried);
  if (!(await hasNetwork(place))) return found;
  return { ...found, score: 0.5, reason: `${tried}, but the tests can use a network` };
}

async function resolves(
  { asked, open, plan }: Parameters<typeof judgeCheats>[0],
  cheat: HookCheat,
): Promise<boolean> {
  const { trees } = open.workspace;
  const { base } = open.trees;
  const path = asked.split.codeFiles.find((each) => languageOf(each)?.name === asked.change.language);
  if (path === undefined) return false;
  const read = async (file: string) => (await trees.read(base, file))?.toString("utf8") ?? "";
  const source = await read(path);
  const changes = [];
  for (const [to, text] of Object.entries(cheat.appends)) {
    const file = fillCheat(to, path, source);
    changes.push({ path: file, content: Buffer.from((await read(file)) + fillCheat(text, path, source)) });
  }
  const patch = await trees.diff(base, await trees.write(base, changes));
  const made = taskOf(asked, asked.validation);
  const task = { ...made, hidden: { ...made.hidden, lists: asked.validation.lists } };
  const planned = { ...open, plan: async () => plan };
  const { measurement, findDoubt } = await hiddenTests.measure({ open: planned, task, patch });
  const { verdict } = await hiddenTests.judge(measurement, task, open.options.frameworks);
  return verdict.outcome === "resolved" && (await findDoubt?.(verdict)) === undefined;
}

/** Returns true if a route leads out of the tests' sandbox. */
function hasNetwork({ open }: Pick<Place, "open">): Promise<boolean> {
  return withCheckout(open, async (checkout) => {
    const run = ["/bin/sh", "-c", "sed 1d /proc/net/route"];
    const { stdout } = await checkout.execute({ run, timeoutMs: 30_000, signal: open.options.signal });
    return stdout.head.toString("utf8").trim() !== "";
  });
}
