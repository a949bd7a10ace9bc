/** `bench report`: reports the results of batches as Markdown, as an HTML page or as a JSON document. */
import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { asDiskError, describeReadError, isSystemError, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { findDifferences, showSettings } from "../bench/arm-settings.ts";
import { readBatch } from "../bench/batch-document.ts";
import { renderBatches } from "../bench/batch-tables.ts";
import { summariseNamed } from "../bench/label-tables.ts";
import { type LabelFiles, readLabelFiles } from "../bench/labels.ts";
import { type NamedBatch, nameArms, overlapOf, reportArms } from "../bench/reported-arms.ts";

/** Reads batch reports. Throws MillwrightError("usage") if a file is missing or is not a batch report. */
export function readBatches(paths: readonly string[]): NamedBatch[] {
  return paths.map((path) => ({ path, batch: readBatch(path) }));
}

/**
 * Reads the people's files of labels; undefined if the flags name no file. Throws MillwrightError("usage") for
 * unreadable or invalid files.
 */
export function readGivenLabels(
  batches: readonly NamedBatch[],
  { labels, consensus }: { readonly labels: readonly string[]; readonly consensus?: string },
): LabelFiles | undefined {
  if (labels.length === 0 && consensus === undefined) return undefined;
  return readLabelFiles(
    labels,
    consensus,
    batches.flatMap(({ batch }) => batch.tries),
  );
}

const writeProblems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "a parent of this path is a file",
};

/**
 * Writes the page to a file, creates the file's folder if necessary, and prints the path on standard error. Throws
 * MillwrightError("usage") if the path is not writable, or ("disk") if the disk fails.
 */
export async function writePage(
  batches: readonly NamedBatch[],
  file: string,
  labels: LabelFiles | undefined,
): Promise<void> {
  // Charts are a large part of the program, and nothing else needs them.
  const { renderReportPage } = await import("../bench/report-page.ts");
  const page = await renderReportPage(batches, labels);
  try {
    await makeFolders(dirname(resolve(file)), 0o777);
    writeFileSync(file, page);
  } catch (cause) {
    if (asDiskError(cause) !== cause) throw asDiskError(cause);
    const why = (isSystemError(cause) && writeProblems[cause.code ?? ""]) || describeReadError(cause);
    throw new MillwrightError("usage", `${file} cannot be written: ${why}`, {
      cause,
      hint: "Give a file in a folder that you can write: --html FILE.",
    });
  }
  process.stderr.write(`${sanitizeForTerminal(file)}\n`);
}

export function printReport(
  batches: readonly NamedBatch[],
  json: boolean,
  labels: LabelFiles | undefined,
): void {
  if (!json) {
    process.stdout.write(sanitizeForTerminal(renderBatches(batches, labels)));
    return;
  }
  const named = nameArms(reportArms(batches), batches.length > 1);
  const document = {
    schema: "millwright.bench-report/1",
    batches: batches.map(({ path, batch: { version, tasks, rules, sandbox, stopped, cancelled } }) => ({
      ...{ report: path, version, tasks, rules, sandbox, stopped, cancelled },
    })),
    arms: named.map(({ arm: { tries: _, settings, ...arm } }) => ({
      ...arm,
      settings: showSettings(settings),
    })),
    differingSettings: findDifferences(named.map(({ arm }) => arm.settings)),
    ...(labels === undefined ? {} : { labels: summariseNamed(named, labels) }),
    ...(named.length > 1 ? { overlap: overlapOf(named) } : {}),
  };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
