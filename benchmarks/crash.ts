// Kills runs with kill -9 at 76 seeded event boundaries: `npm run bench:crash [-- COUNT [STRATEGY [ONLY]]]`. Prints the
// number of runs that ended as promised.
// STRATEGY: `unified` (replays of a recorded run, 50 by default) or `search-repair` (25); default: both. `matrix`:
// every strategy in every sandbox that works here, resumed in each (COUNT seeds, 5 by default), and replayed whole in
// each. ONLY selects strategies: react,best-of.
import { crashAndResume, type Reference, runReference } from "../tests/e2e/crash.ts";
import { replayArguments, unifiedArguments } from "../tests/e2e/crash-script.ts";
import { createPlayground } from "../tests/e2e/millwright.ts";
import { runMatrix } from "./crash-matrix.ts";

const count = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const strategies = process.argv[3] === undefined ? ["search-repair", "unified"] : [process.argv[3]];
const playground = createPlayground();
let failures = 0;
let runs = 0;

async function killMany(name: string, repository: string, reference: Reference, args: readonly string[]) {
  const usual = name === "unified" ? 50 : 13;
  const share =
    count === undefined ? usual : Math.ceil(count / strategies.length / (name === "unified" ? 1 : 2));
  for (let seed = 1; seed <= share; seed++) {
    runs += 1;
    const start = ["solve", "--repo", repository, ...args];
    const { killedAt, problems } = await crashAndResume(playground, repository, reference, { seed, start });
    if (problems.length > 0) failures += 1;
    const verdict = problems.length === 0 ? "as promised" : problems.join("; ");
    console.log(`${name} seed ${seed}: killed at event ${killedAt} of ${reference.events}: ${verdict}`);
  }
}

try {
  if (strategies.includes("search-repair"))
    for (const fixture of ["repair-python", "repair-javascript"]) {
      const repository = playground.copyRepository(fixture);
      await killMany(fixture, repository, await runReference(playground, repository, []), []);
    }
  if (strategies.includes("matrix")) {
    const ended = await runMatrix(playground, count ?? 5, process.argv[4]?.split(","));
    runs += ended.runs;
    failures += ended.failures;
  }
  if (strategies.includes("unified")) {
    const repository = playground.copyRepository("repair-python");
    const reference = await runReference(playground, repository, unifiedArguments(playground));
    await killMany("unified", repository, reference, replayArguments(playground, reference.run));
  }
} finally {
  playground.remove();
}
console.log(`${runs - failures} of ${runs} ended as promised`);
process.exitCode = failures === 0 ? 0 : 1;
