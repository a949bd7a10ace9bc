// kill -9 at 50 seeded event boundaries: `npm run bench:crash [-- COUNT]`. Prints how many runs ended as promised.
import { crashAndResume, runReference } from "../tests/e2e/crash.ts";
import { createPlayground } from "../tests/e2e/millwright.ts";

const count = Number(process.argv[2] ?? 50);
const playground = createPlayground();
let failures = 0;
try {
  for (const fixture of ["repair-python", "repair-javascript"]) {
    const repository = playground.copyRepository(fixture);
    const reference = await runReference(playground, repository, []);
    for (let seed = 1; seed <= count / 2; seed++) {
      const { killedAt, problems } = await crashAndResume(playground, repository, reference, seed, []);
      if (problems.length > 0) failures += 1;
      const verdict = problems.length === 0 ? "as promised" : problems.join("; ");
      console.log(`${fixture} seed ${seed}: killed at event ${killedAt} of ${reference.events}: ${verdict}`);
    }
  }
} finally {
  playground.remove();
}
console.log(`${count - failures} of ${count} ended as promised`);
process.exitCode = failures === 0 ? 0 : 1;
