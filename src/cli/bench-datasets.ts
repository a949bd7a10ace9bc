/** `bench datasets`: the formats of tasks that are known. */
import { datasets } from "../bench/datasets/index.generated.ts";

export function printDatasets(json: boolean): void {
  const rows = datasets.map(({ name, description, card, rule }) => ({ name, description, ...card, rule }));
  if (json) {
    const document = { schema: "millwright.bench-datasets/1", datasets: rows };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  for (const { name, description, home, paper, rule } of rows) {
    const places = [home, paper].filter((place) => place !== undefined).join(", ");
    process.stdout.write(
      `${name}: ${description}\n  resolved (${rule.name}): ${rule.description}\n  ${places}\n`,
    );
  }
}
