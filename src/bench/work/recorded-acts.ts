/** Lists the commands and file edits of an attempt with their whole arguments, from its run's record. */
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { readTextFile } from "../rows.ts";
import { reproducing } from "./reproducing.ts";

export type RecordedAct =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "create"; readonly path: string; readonly text: string }
  | { readonly kind: "replace"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: "insert"; readonly path: string; readonly line: number; readonly text: string }
  /** Edit blocks, made while a reproduction was written. */
  | { readonly kind: "edits"; readonly text: string }
  /** A program that ran beside the unchanged code. */
  | { readonly kind: "program"; readonly program: string }
  /** The start of an action that writes a reproduction, from the base. */
  | { readonly kind: "anew" };

const answerSchema = z.object({
  result: z.object({
    value: z.object({
      parts: z.array(
        z.looseObject({ type: z.string(), id: z.string().optional(), inputText: z.string().optional() }),
      ),
    }),
  }),
});

type ToolEnd = Extract<RunEvent, { readonly event: "tool-ended" }>;

/**
 * Opens the arguments of a run's tools. The returned function returns the act of an event. It returns undefined if the
 * event is no act, or if its arguments are gone.
 */
export function openActs(
  directory: string,
  events: readonly RunEvent[],
): (event: ToolEnd) => RecordedAct | undefined {
  const handles = new Map(
    events.flatMap((each) => (each.event === "call-ended" ? [[each.order, each.handle]] : [])),
  );
  return (event) => {
    const handle = handles.get(event.call);
    if (handle === undefined) return undefined;
    const input = readInput(join(directory, "calls", `${handle}.answer.json`), event.id);
    return input === undefined ? undefined : actOf(event.tool, input, reproducing.has(event.action ?? ""));
  };
}

/**
 * Lists the acts of a run in order, separately for each of its arms: an arm does not see the files of others. Omits
 * edits that the run refused, and acts whose arguments are gone.
 */
export function listActs(directory: string, events: readonly RunEvent[]): RecordedAct[][] {
  const actAt = openActs(directory, events);
  const acts = events.flatMap((event): { readonly arm: string | undefined; readonly act: RecordedAct }[] => {
    if (event.event === "action-started" && reproducing.has(event.action))
      return [{ arm: event.arm, act: { kind: "anew" } }];
    if (event.event !== "tool-ended") return [];
    const act = actAt(event);
    return act === undefined || (event.failed && act.kind !== "command" && act.kind !== "program")
      ? []
      : [{ arm: event.arm, act }];
  });
  return [...Map.groupBy(acts, ({ arm }) => arm).values()].map((own) => own.map(({ act }) => act));
}

function readInput(file: string, id: string): unknown {
  let text: string;
  try {
    text = readTextFile(file);
  } catch {
    return undefined;
  }
  const parsed = answerSchema.safeParse(parseJson(text));
  const part = parsed.data?.result.value.parts.find((each) => each.type === "call" && each.id === id);
  return part?.inputText === undefined ? undefined : parseJson(part.inputText);
}

const inputSchema = z.object({
  command: z.string().optional(),
  path: z.string().optional(),
  /** The text of `create`, `insert`, and of other agents' editors. */
  text: z.string().optional(),
  file_text: z.string().optional(),
  old: z.string().optional(),
  old_str: z.string().optional(),
  new: z.string().optional(),
  new_str: z.string().optional(),
  line: z.int().optional(),
  insert_line: z.int().optional(),
  edits: z.string().optional(),
  program: z.string().optional(),
});

/** The names of shells, including those of imported runs. */
const shells: ReadonlySet<string> = new Set(["bash", "execute_bash", "terminal"]);
/** The editor of SWE-agent, OpenHands and others: `command` names its operation. */
const editors: ReadonlySet<string> = new Set([
  "str_replace_editor",
  "str_replace_based_edit_tool",
  "file_editor",
]);

function actOf(tool: string, given: unknown, isReproduction: boolean): RecordedAct | undefined {
  const { data } = inputSchema.safeParse(given);
  if (data === undefined) return undefined;
  const { command, path, program, edits } = data;
  if (shells.has(tool)) return command === undefined ? undefined : { kind: "command", command };
  if (tool === "try_out") return program === undefined ? undefined : { kind: "program", program };
  if (tool === "edit")
    return edits === undefined || !isReproduction ? undefined : { kind: "edits", text: edits };
  const name = editors.has(tool) ? command : tool;
  const [text, old, fresh] = [
    data.text ?? data.file_text,
    data.old ?? data.old_str,
    data.new ?? data.new_str,
  ];
  const line = data.line ?? data.insert_line;
  if (path === undefined) return undefined;
  if (name === "create" && text !== undefined) return { kind: "create", path, text };
  if (name === "str_replace" && old !== undefined) return { kind: "replace", path, old, new: fresh ?? "" };
  if (name === "insert" && line !== undefined)
    return { kind: "insert", path, line, text: text ?? fresh ?? "" };
  return undefined;
}
