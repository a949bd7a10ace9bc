/** Shows the progress of a run to a person, always on stderr: a live block in a terminal, plain lines elsewhere. */
import pc from "picocolors";
import { tellChoice } from "../agent/kinds/tell-choice.ts";
import { nameAction, watchActivity } from "../agent/record/activity.ts";
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import type { Candidate } from "../domain/candidate.ts";
import type { Phase, RunEvent } from "../domain/run-event.ts";

export interface Progress {
  show(event: RunEvent): void;
  /** Stops drawing on the terminal until the caller calls the returned function. */
  hold(): () => void;
  close(): void;
}

interface ProgressState {
  readonly startedAt: number;
  phases: { phase: Phase; title: string; startedAt: number; endedAt: number | undefined }[];
  readonly activity: ReturnType<typeof watchActivity>;
  tried: number;
  plausible: number;
  best: string;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const redrawMs = 120;
/** Number of candidates per plain line. */
const candidatesPerLine = 25;
/**
 * Milliseconds without a plain line after which a line names the current activity. Readers of a log then recognise a
 * hang.
 */
const quietMs = 60_000;

export async function createProgress(stream: NodeJS.WriteStream): Promise<Progress> {
  return stream.isTTY === true ? createLiveProgress(stream) : createPlainProgress(stream);
}

function createPlainProgress(stream: NodeJS.WriteStream): Progress {
  const state = initialState();
  const say = (text: string): void => {
    stream.write(`${sanitizeForTerminal(text)}\n`);
    timer.refresh();
  };
  const timer = setInterval(() => {
    const at = state.activity.current() || state.phases.at(-1)?.title;
    if (at !== undefined) say(`[${elapsed(state)}] still at: ${at}`);
  }, quietMs);
  timer.unref();
  return {
    show(event) {
      update(state, event);
      if (event.event === "run-started") say(`run ${event.run} in the ${event.sandbox} sandbox`);
      if (event.event === "run-resumed") say("the run continues");
      if (event.event === "phase-started") say(`[${elapsed(state)}] ${event.title}`);
      if (event.event === "remark-made") say(`${event.level}: ${event.text}`);
      if (event.event === "action-started") say(`[${elapsed(state)}] ${event.round}. ${nameAction(event)}`);
      if (event.event === "kind-chosen") say(`kind: ${event.kind} (${tellChoice(event)})`);
      if (event.event === "work-stuck") say(`note: the work is stuck: ${event.sign}`);
      if (event.event === "candidate-created")
        say(`[${elapsed(state)}] ${describeCandidate(event.candidate, state)}`);
      if (event.event === "candidate-judged" && state.tried % candidatesPerLine === 0) {
        say(`[${elapsed(state)}] ${countOf(state.tried, "candidate")} tried, ${state.plausible} plausible`);
      }
      if (event.event === "run-interrupted") say("interrupted");
    },
    hold: () => () => {},
    close: () => clearInterval(timer),
  };
}

/** Describes a candidate. If Millwright tried many changes at once, only the passing ones become candidates. */
function describeCandidate({ id, kind, origin }: Candidate, { tried }: { readonly tried: number }): string {
  return tried > 0
    ? `plausible: ${origin}`
    : `${kind === "reproduction" ? "reproduction" : "candidate"} ${id}: ${origin}`;
}

async function createLiveProgress(stream: NodeJS.WriteStream): Promise<Progress> {
  const { createLogUpdate } = await import("log-update");
  const state = initialState();
  const paint = createLogUpdate(stream);
  let frame = 0;
  let closed = false;
  let isHeld = false;
  const draw = (): void => {
    if (!isHeld) paint(renderBlock(state, spinner[frame++ % spinner.length] ?? "", stream.columns ?? 80));
  };
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    show(event) {
      update(state, event);
      const said = remarkOf(event);
      if (said !== undefined) {
        paint.clear();
        stream.write(`${said}\n`);
      }
      draw();
    },
    hold() {
      isHeld = true;
      paint.clear();
      return () => {
        isHeld = false;
      };
    },
    close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      paint(renderBlock(state, "–", stream.columns ?? 80));
      paint.done();
    },
  };
}

function remarkOf(event: RunEvent): string | undefined {
  if (event.event === "work-stuck") return `note: the work is stuck: ${sanitizeForTerminal(event.sign)}`;
  if (event.event === "kind-chosen") return `kind: ${event.kind} (${sanitizeForTerminal(tellChoice(event))})`;
  if (event.event !== "remark-made") return undefined;
  return `${event.level === "warning" ? pc.yellow("warning:") : "note:"} ${sanitizeForTerminal(event.text)}`;
}

function initialState(): ProgressState {
  return { startedAt: Date.now(), phases: [], activity: watchActivity(), tried: 0, plausible: 0, best: "" };
}

function update(state: ProgressState, event: RunEvent): void {
  if (event.event === "phase-started") {
    const last = state.phases.at(-1);
    if (last !== undefined) last.endedAt ??= Date.now();
    state.phases.push({ phase: event.phase, title: event.title, startedAt: Date.now(), endedAt: undefined });
  }
  if (event.event === "run-ended") for (const phase of state.phases) phase.endedAt ??= Date.now();
  state.activity.see(event);
  if (event.event === "candidate-judged") state.tried += 1;
  if (event.event === "candidate-created") {
    state.plausible += 1;
    state.best ||= event.candidate.origin;
  }
}

function renderBlock(state: ProgressState, spin: string, columns: number): string {
  const lines = state.phases.map((phase) => {
    const mark = phase.endedAt === undefined ? pc.cyan(spin) : pc.green("✓");
    const time = pc.dim(formatDuration((phase.endedAt ?? Date.now()) - phase.startedAt));
    return `${mark} ${phase.title} ${time}`;
  });
  const running = state.phases.at(-1);
  const doing = state.activity.current();
  if (running?.endedAt === undefined && doing !== "") lines.push(pc.dim(`  ${cut(doing, columns - 3)}`));
  if (state.tried > 0)
    lines.push(`  ${countOf(state.tried, "candidate")} tried, ${state.plausible} plausible`);
  if (state.best !== "") lines.push(`  best so far: ${cut(state.best, columns - 16)}`);
  lines.push(pc.dim(`  ${elapsed(state)}`));
  return lines.join("\n");
}

function elapsed(state: ProgressState): string {
  return formatDuration(Date.now() - state.startedAt);
}

function cut(text: string, width: number): string {
  const line = sanitizeForTerminal(text.replaceAll(/\s+/g, " "));
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
