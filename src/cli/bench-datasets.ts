/** `bench datasets`: lists the formats of tasks that Millwright reads. */
import type { DatasetRule } from "../bench/datasets/contract.ts";
import { datasets } from "../bench/datasets/index.generated.ts";

export function printDatasets(json: boolean): void {
  const rows = datasets.map(({ name, description, card, rules }) => ({
    ...{ name, description, ...card, rules },
    rule: rules[0],
  }));
  if (json) {
    const document = { schema: "millwright.bench-datasets/1", datasets: rows };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  for (const { name, description, home, paper, rules } of rows) {
    const places = [home, paper].filter((place) => place !== undefined).join(", ");
    process.stdout.write(`${name}: ${description}\n${rules.map(describeRule).join("")}  ${places}\n`);
  }
}

function describeRule({ name, description, own, isTold }: DatasetRule): string {
  const ours = own === undefined ? "" : `    our rule, which decides: ${own}\n`;
  return `  ${isTold === true ? "also reported" : "resolved"} (${name}): ${description}\n${ours}`;
}
