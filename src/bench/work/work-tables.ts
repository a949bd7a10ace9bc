/** Makes a report's sections about the work of attempts. A section appears only if some arm has data for it. */
import { percent, type Section, type Table, tellShare } from "../report-sections.ts";
import type { NamedArm } from "../reported-arms.ts";
import type { Share } from "../result-groups.ts";
import type { PartSummary, WorkSummary } from "./summarise-work.ts";

interface NamedWork {
  readonly name: string;
  readonly work: WorkSummary;
}

export function workSections(named: readonly NamedArm[]): Section[] {
  const known = named.flatMap(({ arm: { work }, name }) => (work === undefined ? [] : { name, work }));
  return [
    ...tellParts(known),
    ...tellSteps(known),
    ...tellLocated(named),
    ...tellRepairs(named),
    ...tellReproductions(known),
    ...tellReplayed(named),
    ...tellErrors(known),
    ...tellCorrelation(named),
  ];
}

function sectionOf(title: string, tables: readonly Table[], more: Omit<Section, "title"> = {}): Section[] {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  return filled.length === 0 ? [] : [{ title, ...more, tables: filled }];
}

function tellParts(known: readonly NamedWork[]): Section[] {
  const head = [
    ...[
      "arm",
      "action",
      "uses",
      "with it, % of attempts",
      "with it, % of resolved attempts",
      "resolved, % of attempts with it",
    ],
    ...[
      "seconds per use",
      "seconds per attempt",
      "of all seconds, %",
      "tokens per use",
      "of all tokens, %",
      "USD per use",
      "of all USD, %",
    ],
  ];
  const rows = known.flatMap(({ name, work }) => work.parts.map((part) => [name, ...tellPart(part)]));
  const text =
    "A strategy without actions, such as `react`, has a row for each tool. The seconds of an action include its tests and the wait for models. `seconds per attempt` is the action's mean time over all attempts.";
  return sectionOf("Actions", [{ head, rows }], { texts: [text], charts: ["actions"] });
}

function tellPart(part: PartSummary): string[] {
  const {
    name,
    uses,
    used,
    ofResolved,
    resolved,
    each,
    perAttempt,
    secondsShare,
    tokenShare,
    usdShare,
    unpriced,
  } = part;
  const mean = (figure: number, digits: number): string => (uses === 0 ? "–" : figure.toFixed(digits));
  const usd = unpriced === 0 ? mean(each.usd, 4) : "unpriced calls";
  return [
    ...[name, String(uses), shown(used), shown(ofResolved), shown(resolved)],
    ...[mean(each.seconds, 1), perAttempt.seconds.toFixed(1)],
    secondsShare === undefined ? "–" : percent(secondsShare),
    ...[mean(each.tokens, 0), tokenShare === undefined ? "–" : percent(tokenShare)],
    ...[usd, usdShare === undefined ? "–" : percent(usdShare)],
  ];
}

function shown(share: Share): string {
  return tellShare(share)[0] ?? "";
}

/** Maximum number of positions in a table. The JSON document has the later positions of long runs. */
const mostSteps = 20;

function tellSteps(known: readonly NamedWork[]): Section[] {
  const steps = known.flatMap(({ work }) => work.steps.map(({ step }) => step));
  const last = Math.min(mostSteps, Math.max(0, ...steps));
  const positions = Array.from({ length: last }, (_, at) => at + 1);
  const rows = known.flatMap(({ name, work }) =>
    [...Map.groupBy(work.steps, ({ action }) => action)].map(([action, own]) => {
      const counts = positions.map((step) => own.find((each) => each.step === step)?.count ?? 0);
      return [name, action, ...counts.map((count) => (count === 0 ? "" : String(count)))];
    }),
  );
  const head = ["arm", "action", ...positions.map(String)];
  const text = "Each cell counts the runs that choose the action at that position.";
  return sectionOf("Actions by position", [{ head, rows }], { texts: [text], charts: ["steps"] });
}

/** The words for the sources of located places. */
const placeSources = { event: "own event", edits: "edited code", reads: "code read last", none: "no place" };

function tellLocated(named: readonly NamedArm[]): Section[] {
  if (!named.some(({ arm: { work } }) => work?.located !== undefined)) return [];
  const rows = named.map(({ arm: { work }, name }) => {
    const { located } = work ?? {};
    if (located === undefined) return [name, ...Array.from({ length: 9 }, () => "–"), "not recorded"];
    const { file, function: own, snippet, files, lines, sources } = located;
    return [
      ...[
        name,
        ...[file, own, snippet].flatMap(tellShare),
        files.toFixed(1),
        lines.toFixed(1),
        String(file.of),
      ],
      sources.map(({ from, count }) => `${placeSources[from]} ${count}`).join(", "),
    ];
  });
  const hits = ["file", "function", "snippet"].flatMap((level) => [`${level}, %`, "95 % interval"]);
  const head = ["arm", ...hits, "files located", "lines located", "attempts", "places from"];
  const text =
    "An attempt counts as `file` if a located place is in a code file of the known fix. It counts as `function` if a place overlaps a function that the fix changes, and as `snippet` if a place overlaps changed lines. The places are those that the run recorded as an event. If it recorded none, they are the code that its patch edits; without a patch, the part of a file that it read last. An attempt without a place located nothing. Large places overlap more easily, so also compare the mean numbers of files and lines.";
  return sectionOf("Localisation", [{ head, rows }], { texts: [text] });
}

function tellRepairs(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm: { repairs }, name }) =>
    repairs.map(({ mode, used, resolved }) => [
      ...[name, mode, String(used.count), String(used.of), ...tellShare(used)],
      ...[String(resolved.count), ...tellShare(resolved)],
    ]),
  );
  const head = [
    "arm",
    "repair",
    "attempts with this repair",
    "of attempts",
    "%",
    "95 % interval",
    "resolved",
    "resolved, % of attempts with this repair",
    "95 % interval",
  ];
  const text =
    "A dynamic repair runs programs while it debugs; a static repair only reads code. An attempt that ended before its repair began counts as neither.";
  return sectionOf("Dynamic and static repair", [{ head, rows }], { texts: [text] });
}

function tellReproductions(known: readonly NamedWork[]): Section[] {
  const rows = known.flatMap(({ name, work: { reproductions } }) => {
    if (reproductions === undefined) return [];
    const { shown: own, reruns, causes } = reproductions;
    return [
      [name, String(own.count), String(own.of), ...tellShare(own), reruns.toFixed(1), tellCauses(causes)],
    ];
  });
  const head = ["arm", "shown", "of attempts", "%", "95 % interval", "reruns", "failures by cause"];
  const text =
    "Only attempts that wrote a reproduction count. The column `shown` counts the reproductions that, according to the run, fail on the base for the stated reason.";
  return sectionOf("Reproductions", [{ head, rows }], { texts: [text] });
}

function tellReplayed(named: readonly NamedArm[]): Section[] {
  const known = named.flatMap(({ arm: { replayed }, name }) =>
    replayed === undefined ? [] : [{ name, replayed }],
  );
  const [first] = known;
  if (first === undefined) return [];
  const others = first.replayed.counts.slice(1).map(({ validity }) => validity);
  const rows = known.map(({ name, replayed: { valid, counts } }) => [
    ...[name, String(valid.count), String(valid.of), ...tellShare(valid)],
    ...counts.slice(1).map(({ count }) => String(count)),
  ]);
  const head = ["arm", "valid", "of attempts", "%", "95 % interval", ...others];
  const text =
    "All attempts count. Millwright repeated each attempt's recorded work in the task's environment, and ran its reproduction on the base and with the known fix. A reproduction is valid if it fails on the base and passes with the fix, or if its outputs on the two differ.";
  return sectionOf("Reproductions, replayed", [{ head, rows }], { texts: [text] });
}

function tellCauses(causes: readonly { readonly cause: string; readonly count: number }[]): string {
  return causes.map(({ cause, count }) => `${cause} ${count}`).join(", ") || "–";
}

function tellErrors(known: readonly NamedWork[]): Section[] {
  const found = known.flatMap(({ name, work: { compileErrors } }) =>
    compileErrors === undefined ? [] : { name, ...compileErrors },
  );
  const totals = found.map(({ name, total, perAttempt, duringReproduction, groups }) => [
    ...[name, String(total), perAttempt.toFixed(1), percent(duringReproduction / total)],
    ...groups.map(({ count }) => percent(count / total)),
  ]);
  const codes = found.flatMap(({ name, total, codes: own }) =>
    own.map(({ code, count }) => [name, code, String(count), percent(count / total)]),
  );
  const groups = (found[0]?.groups ?? []).map(({ group }) => `${group}, %`);
  return sectionOf("Compile errors (Rust)", [
    { head: ["arm", "errors", "per attempt", "during reproduction, %", ...groups], rows: totals },
    { head: ["arm", "code", "errors", "%"], rows: codes },
  ]);
}

function tellCorrelation(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm: { timeAndCost }, name }) =>
    timeAndCost === undefined ? [] : [[name, timeAndCost.r.toFixed(2), String(timeAndCost.attempts)]],
  );
  return sectionOf("Time and cost", [{ head: ["arm", "Pearson's r", "attempts"], rows }]);
}
