/** `bench mine select`: chooses repositories to mine by figures from their hosts. */
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { countOf } from "../base/count.ts";
import { interruptedExitCode } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { readHostAddress } from "../forge-hosts/address.ts";
import { type Selected, selectRepositories } from "../mine/select.ts";
import { tellStep } from "../mine/step-report.ts";
import { count } from "./bench-flags.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";

export interface SelectFlags {
  readonly out: string;
  readonly language: string;
  readonly leastStars: number;
  readonly activeSince: string;
  readonly leastMerged: number;
  readonly leastTests: number;
  readonly leastComments: number;
  readonly most: number;
  readonly draw?: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function addSelectFlags(command: Command): Command {
  const least = (flags: string, description: string): Option =>
    new Option(flags, description).argParser(number).default(0);
  return command
    .requiredOption("--out <dir>", "folder of the report; give the same folder to continue")
    .option("--language <name>", "only this main language, as the host writes it", "")
    .addOption(least("--least-stars <count>", "minimum number of stars"))
    .addOption(
      new Option(
        "--active-since <date>",
        "only repositories with activity since this date, such as 2024-01-31",
      )
        .argParser(date)
        .default("", "any date"),
    )
    .addOption(
      least("--least-merged <count>", "minimum number of merge requests merged since --active-since"),
    )
    .addOption(least("--least-tests <count>", "minimum number of test files"))
    .addOption(
      least(
        "--least-comments <number>",
        "minimum mean number of comments on the most recently changed closed issues",
      ),
    )
    .option(
      "--most <count>",
      "maximum number of repositories to read from a whole host, most stars first",
      count,
      50,
    )
    .option("--draw <count>", "number of repositories to draw from the chosen ones; default: all", count)
    .option("--seed <number>", "seed of the draw", count, 1)
    .option("--json", "print one JSON document");
}

function number(text: string): number {
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number such as 100.");
}

function date(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError("Give a date such as 2024-01-31.");
}

/** Selects repositories by figures that it reads from their hosts. Returns the exit code. */
export async function runSelect(addresses: readonly string[], flags: SelectFlags): Promise<number> {
  const folder = resolve(flags.out);
  const { language, leastStars, activeSince, leastMerged, leastTests, leastComments } = flags;
  const { most, draw, seed } = flags;
  const interrupts = listenForInterrupts();
  try {
    const { kept, report } = await selectRepositories({
      ...{ folder, most, draw, seed, environment: hostOf().environment, signal: interrupts.signal },
      addresses: addresses.map(readHostAddress),
      criteria: { language, leastStars, activeSince, leastMerged, leastTests, leastComments },
      onProgress: (text) => process.stderr.write(sanitizeForTerminal(`${text}\n`)),
    });
    process.stderr.write(`${tellStep(report)}\n`);
    const chosen = kept.filter(({ drawn }) => drawn);
    const document = { schema: "millwright.bench-select/1", folder, step: report, repositories: kept };
    const text = `${chosen.map(tellRepository).join("")}${countOf(chosen.length, "repository")} in ${join(folder, "repositories.jsonl")}\n`;
    process.stdout.write(
      flags.json === true ? `${JSON.stringify(document, null, 2)}\n` : sanitizeForTerminal(text),
    );
    return 0;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    process.stderr.write("stopped; run the same command again to continue\n");
    return interruptedExitCode;
  } finally {
    interrupts.stop();
  }
}

function tellRepository({ url, figures }: Selected): string {
  const { stars, language, active, sourceFiles, testFiles, meanComments } = figures;
  const facts = [
    ...[language || "no main language", countOf(stars, "star"), `active until ${active.slice(0, 10)}`],
    `${countOf(sourceFiles, "source file")}, ${countOf(testFiles, "test file")}`,
    `${meanComments.toFixed(1)} comments per issue`,
  ];
  return `${url}: ${facts.join("; ")}\n`;
}
