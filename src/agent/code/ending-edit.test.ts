import { expect, test } from "vitest";
import { z } from "zod";
import type { ThinkTool } from "../think/think.ts";
import { withEnding } from "./ending-edit.ts";

interface Said {
  readonly summary: string;
  readonly links?: readonly string[];
}
const said = ({ summary, links = [] }: Said): string =>
  links.length === 0 ? summary : `${summary} (${links.join(", ")})`;

/** An edit is refused if its text says so; the work ends with the summary, unless nothing was changed. */
function open(also: z.ZodRawShape = {}): (name: string, input: object) => Promise<object> {
  let changed = false;
  const edit: ThinkTool<never> = {
    name: "edit",
    description: "Changes files.",
    input: z.object({ edits: z.string() }),
    async run(asked) {
      if ((asked as { edits: string }).edits === "no") return { text: "It does not fit.", isError: true };
      changed = true;
      return { text: "the diff" };
    },
  };
  const done: ThinkTool<string> = {
    name: "done",
    description: "Ends the work.",
    input: z.object({ summary: z.string(), cannot: z.boolean().optional(), links: z.unknown().optional() }),
    run: async (asked) =>
      changed || (asked as { cannot?: boolean }).cannot === true
        ? { text: "Kept.", end: said(asked as Said) }
        : { text: "Nothing is changed yet.", isError: true },
  };
  const tools = withEnding<string>([edit], done, also);
  return async (name, input) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.run(tool.input.parse(input));
  };
}

test("edits and the end of the work are one call, and nothing ends where the edits are refused", async () => {
  const call = open();
  expect(await call("edit", { edits: "no", done: "all is paid" })).toEqual({
    text: "It does not fit.",
    isError: true,
  });
  expect(await call("edit", { edits: "yes" })).toEqual({ text: "the diff" });
  expect(await call("edit", { edits: "yes", done: "all is paid" })).toMatchObject({ end: "all is paid" });
});

test("after a refused edit the work ends when it is said a second time", async () => {
  const call = open();
  await call("edit", { edits: "yes" });
  await call("edit", { edits: "no" });
  expect(await call("done", { summary: "it is complete" })).toMatchObject({ isError: true });
  expect(await call("done", { summary: "it is complete" })).toMatchObject({ end: "it is complete" });
});

test("that nothing can be changed is said once, after a refused edit too", async () => {
  const call = open();
  await call("edit", { edits: "no" });
  expect(await call("done", { summary: "not mine", cannot: true })).toMatchObject({ end: "not mine" });
});

test("an edit that ends the work takes what the end needs besides a summary", async () => {
  const call = open({ links: z.array(z.string()).default([]) });
  const ended = await call("edit", { edits: "yes", done: "all is paid", links: ["R1"] });
  expect(ended).toMatchObject({ end: "all is paid (R1)" });
});
