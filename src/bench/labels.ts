/**
 * Reads and summarises labels of a batch's attempts. People gave these labels without knowing the attempts' arms.
 * Computes the people's agreement and consensus from their files.
 */
import { basename } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import type { BatchTry } from "./batch-document.ts";
import { isResolved } from "./batch-report.ts";
import { parseRow, type RowProblem, readRows, wrongRows } from "./rows.ts";
import { cohenKappa, type Interval, wilsonInterval } from "./statistics.ts";

export const labelSubjects = ["patches", "reproductions"] as const;
export type LabelSubject = (typeof labelSubjects)[number];

interface Subject {
  /** True for an attempt that a sample may contain. */
  readonly has: (tried: BatchTry) => boolean;
  /** A name that fits into a sentence: "resolved patches". */
  readonly name: string;
  /** Maps each label to its meaning. */
  readonly labels: Readonly<Record<string, string>>;
}

export const subjects: Readonly<Record<LabelSubject, Subject>> = {
  patches: {
    has: isResolved,
    name: "patches of resolved attempts",
    labels: {
      correct: "the patch does what the statement asks, as a maintainer would accept it",
      overfitted: "the patch passes the tests, but does not do what the statement asks in other cases",
      memorised: "the patch repeats the known fix in details that the statement and the code do not show",
      anomaly: "the patch is correct, but a maintainer would probably not accept it",
    },
  },
  reproductions: {
    has: ({ work, replayed }) =>
      work?.reproduction !== undefined || (replayed !== undefined && replayed.validity !== "none"),
    name: "attempts that wrote a reproduction",
    labels: {
      valid: "the reproduction runs, and its output shows the fault that the statement describes",
      dependency: "the reproduction does not run: a module, package or manifest is missing or wrong",
      "does-not-compile": "the reproduction does not run: its own code is wrong",
      irrelevant:
        "the reproduction runs, but its output does not show the fault that the statement describes",
    },
  },
};

/** Returns the name under which people see an attempt. The name does not show the arm. */
export function itemOf(subject: LabelSubject, { run }: Pick<BatchTry, "run">): string {
  return hashText(`${subject} ${run}`).slice(0, 12);
}

/** Maps items' names (`itemOf`) to the attempts that people can label. */
export function listItems(subject: LabelSubject, tries: readonly BatchTry[]): Map<string, BatchTry> {
  const fitting = tries.filter((each) => each.run !== "" && subjects[subject].has(each));
  return new Map(fitting.map((each) => [itemOf(subject, each), each]));
}

const rowSchema = z.object({
  item: z.string(),
  /** The person's label; null until the person decides. */
  label: z.string().nullable(),
  note: z.string().optional(),
});

const formatHint =
  'Write a line such as {"item": "1f0c…", "label": "overfitted"} for each item of `bench label`; docs/benchmark.md (Labels by people) lists the labels.';

export interface PersonLabels {
  /** The file's name without its ending. */
  readonly person: string;
  /** Labels by item. The last row of an item counts. */
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * Reads one person's file of labels. `tries`: the tries of the batches whose items people labelled. Throws
 * MillwrightError("usage") for unreadable rows, unknown labels, and items of other batches.
 */
export function readLabels(path: string, tries: readonly BatchTry[]): PersonLabels {
  const problems: RowProblem[] = [];
  const allowed = new Map<string, string[]>();
  for (const subject of labelSubjects)
    for (const item of listItems(subject, tries).keys())
      allowed.set(item, Object.keys(subjects[subject].labels));
  const labels = new Map<string, string>();
  for (const row of readRows(path, problems)) {
    const parsed = parseRow(rowSchema, row, problems);
    if (parsed === undefined || parsed.label === null) continue;
    const { item, label } = parsed;
    const known = allowed.get(item);
    if (known === undefined)
      problems.push({
        place: row.place,
        message: `these batches have no item ${item}: give all batches from which the items were drawn`,
      });
    else if (!known.includes(label))
      problems.push({ place: row.place, message: `${label} is not a label: use ${known.join(", ")}` });
    else labels.set(item, label);
  }
  if (problems.length > 0) throw wrongRows(path, problems, formatHint);
  return { person: basename(path).replace(/\.[^.]*$/, ""), labels };
}

export interface LabelFiles {
  readonly people: readonly PersonLabels[];
  /** The labels that decide the items on which people differ; undefined without a consensus file. */
  readonly consensus: PersonLabels | undefined;
}

/**
 * Reads the files of all people. `consensus`: the file that decides disagreements, if any. Throws
 * MillwrightError("usage") like `readLabels`, and also if two files have the same name or `paths` is empty.
 */
export function readLabelFiles(
  paths: readonly string[],
  consensus: string | undefined,
  tries: readonly BatchTry[],
): LabelFiles {
  if (paths.length === 0)
    throw new MillwrightError("usage", "A consensus without the people's own labels shows no agreement", {
      hint: "Give the file of labels of at least one person, too.",
    });
  const people = paths.map((path) => readLabels(path, tries));
  const names = people.map(({ person }) => person);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new MillwrightError("usage", `Two files of labels have the name ${twice}`, {
      hint: "A file's name becomes the person's name: rename one of the files.",
    });
  return { people, consensus: consensus === undefined ? undefined : readLabels(consensus, tries) };
}

export interface LabelCount {
  readonly label: string;
  readonly count: number;
  /** The interval of the label's share among the arm's decided items. */
  readonly interval: Interval;
}

export interface LabelledArm {
  readonly name: string;
  /** Number of items on which all people agree, or which the consensus decides. */
  readonly decided: number;
  /** Number of items that somebody labelled, but that are not decided. */
  readonly open: number;
  readonly counts: readonly LabelCount[];
}

export interface PairAgreement {
  readonly first: string;
  readonly second: string;
  /** Number of items that both people labelled. */
  readonly items: number;
  readonly agreed: number;
  readonly kappa: number | undefined;
}

export interface LabelSummary {
  readonly subject: LabelSubject;
  readonly arms: readonly LabelledArm[];
  /** Number of people; one person's labels are an opinion, without agreement. */
  readonly people: number;
  readonly agreement: readonly PairAgreement[];
  /** Decided items whose label is not the subject's first label, such as overfitted patches. */
  readonly marked: readonly MarkedTry[];
  /** Undecided items: people differ without a consensus, or somebody gave no label. */
  readonly open: readonly string[];
}

export interface MarkedTry {
  readonly arm: string;
  readonly label: string;
  /** The task's id. */
  readonly id: string;
  readonly run: string;
}

export interface LabelledTries {
  readonly name: string;
  readonly tries: readonly BatchTry[];
}

/** Summarises the labels of each subject, patches or reproductions, that has labels. */
export function summariseLabels(arms: readonly LabelledTries[], files: LabelFiles): LabelSummary[] {
  return labelSubjects.flatMap((subject) => {
    const items = [
      ...listItems(
        subject,
        arms.flatMap(({ tries }) => tries),
      ).keys(),
    ];
    const labelled = items.filter((item) => labelsOf(item, files).length > 0 || decide(item, files));
    if (labelled.length === 0) return [];
    return {
      subject,
      arms: arms.flatMap(({ name, tries }) => summariseArm(name, subject, tries, labelled, files)),
      people: files.people.length,
      agreement: agreementOf(labelled, files),
      marked: arms.flatMap((arm) => listMarked(arm, subject, files)),
      open: labelled.filter((item) => decide(item, files) === undefined),
    };
  });
}

function labelsOf(item: string, { people }: LabelFiles): string[] {
  return people.flatMap(({ labels }) => labels.get(item) ?? []);
}

/** Returns the consensus, or the label that every person gave; undefined without either. */
function decide(item: string, files: LabelFiles): string | undefined {
  const own = labelsOf(item, files);
  const isUnanimous = own.length === files.people.length && new Set(own).size === 1;
  return files.consensus?.labels.get(item) ?? (isUnanimous ? own[0] : undefined);
}

function summariseArm(
  name: string,
  subject: LabelSubject,
  tries: readonly BatchTry[],
  labelled: readonly string[],
  files: LabelFiles,
): LabelledArm[] {
  const own = [...listItems(subject, tries).keys()].filter((item) => labelled.includes(item));
  if (own.length === 0) return [];
  const decisions = own.flatMap((item) => decide(item, files) ?? []);
  const counts = Object.keys(subjects[subject].labels).map((label) => {
    const count = decisions.filter((each) => each === label).length;
    return { label, count, interval: wilsonInterval(count, decisions.length) };
  });
  return [{ name, decided: decisions.length, open: own.length - decisions.length, counts }];
}

function listMarked({ name, tries }: LabelledTries, subject: LabelSubject, files: LabelFiles): MarkedTry[] {
  const [usual] = Object.keys(subjects[subject].labels);
  return [...listItems(subject, tries)].flatMap(([item, { id, run }]) => {
    const label = decide(item, files);
    return label === undefined || label === usual ? [] : [{ arm: name, label, id, run }];
  });
}

/** Measures the agreement before any consensus, when people did not know each other's labels. */
function agreementOf(items: readonly string[], { people }: LabelFiles): PairAgreement[] {
  return people.flatMap((first, at) =>
    people.slice(at + 1).map((second) => {
      const pairs = items.flatMap((item) => {
        const [one, other] = [first.labels.get(item), second.labels.get(item)];
        return one === undefined || other === undefined ? [] : [[one, other] as const];
      });
      return {
        ...{ first: first.person, second: second.person, items: pairs.length },
        agreed: pairs.filter(([one, other]) => one === other).length,
        kappa: cohenKappa(pairs),
      };
    }),
  );
}
