/**
 * Kills every strategy in every sandbox at seeded moments, resumes it in each sandbox in turn, and replays the whole
 * run in each.
 */
import {
  crashAcross,
  findOwnPaths,
  recordScript,
  replayIn,
  workingSandboxes,
} from "../tests/e2e/across-sandboxes.ts";
import type { Playground } from "../tests/e2e/millwright.ts";
import { placedRepository, strategyScripts } from "../tests/e2e/strategy-scripts.ts";

export async function runMatrix(playground: Playground, seeds: number, only?: readonly string[]) {
  const sandboxes = await workingSandboxes();
  const repository = placedRepository(playground);
  const rows: string[] = [];
  let runs = 0;
  let failures = 0;
  const tell = (title: string, problems: readonly string[]): boolean => {
    runs += 1;
    if (problems.length > 0) failures += 1;
    console.log(`${title}: ${problems.length === 0 ? "as promised" : problems.join("; ")}`);
    return problems.length === 0;
  };
  for (const [index, script] of strategyScripts(repository).entries()) {
    const { strategy, answers } = script;
    if (only?.includes(strategy) === false) continue;
    const recordedIn = sandboxes[index % sandboxes.length] ?? "local";
    const reference = await recordScript(playground, repository, script, recordedIn);
    if (answers.length > 0) tell(`${strategy}: requests`, findOwnPaths(playground, reference));
    const cells: string[] = [];
    for (const [at, from] of sandboxes.entries()) {
      const replayed = tell(
        `${strategy} replayed in ${from}`,
        await replayIn(playground, reference, ["--sandbox", from]),
      );
      let resumed = 0;
      for (let seed = 1; seed <= seeds; seed++) {
        const to = sandboxes[(at + seed) % sandboxes.length] ?? "local";
        const { killedAt, problems } = await crashAcross(playground, repository, reference, {
          seed,
          from,
          to,
        });
        const title = `${strategy} seed ${seed}: killed in ${from} at event ${killedAt} of ${reference.events}, resumed in ${to}`;
        if (tell(title, problems)) resumed += 1;
      }
      cells.push(`${resumed} of ${seeds}, ${replayed ? "same" : "differs"}`);
    }
    rows.push(`| ${strategy} | ${recordedIn} | ${cells.join(" | ")} |`);
  }
  console.log(
    `\n| strategy | recorded in | ${sandboxes.map((name) => `killed in ${name}: resumed, replay`).join(" | ")} |`,
  );
  console.log(`| --- | --- | ${sandboxes.map(() => "---").join(" | ")} |\n${rows.join("\n")}\n`);
  return { runs, failures };
}
