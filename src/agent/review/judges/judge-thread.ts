/**
 * The body of a thread that judges texts. It handles one call at a time, and asks the starting process for the
 * repository's files.
 */
import { parentPort } from "node:worker_threads";
import { regionsFrom } from "../../../judging/test-regions.ts";
import type { TreeEntry } from "../../../workspace/contract.ts";
import type { TextContext } from "../contract.ts";
import type { JudgeCall, TreeAnswer, TreeQuestion } from "./judge-threads.ts";
import { callJudge, type TextJudge } from "./text-judges.ts";

const waiting = new Map<number, (answer: TreeAnswer) => void>();
let asked = 0;

parentPort?.on("message", (message: JudgeCall<TextJudge> | TreeAnswer) => {
  if ("judge" in message) void perform(message);
  else {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  }
});

parentPort?.postMessage({ isReady: true });

async function perform<Name extends TextJudge>(call: JudgeCall<Name>): Promise<void> {
  const reading = { isOver: false };
  try {
    const result = await callJudge(call.judge, contextOf(call, reading), call.input);
    reading.isOver = true;
    parentPort?.postMessage({ result });
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
}

/** Makes the context of one call. Reads nothing after the call, because the next call may have another repository. */
function contextOf(
  { base, whole, inside }: JudgeCall<TextJudge>,
  reading: { readonly isOver: boolean },
): TextContext {
  const ask = (question: Omit<TreeQuestion, "id">): Promise<TreeAnswer> =>
    reading.isOver ? Promise.withResolvers<TreeAnswer>().promise : askStarter(question);
  const lists = new Map<string, Promise<readonly TreeEntry[]>>();
  const nothing = { items: false, examples: false };
  return {
    regions: regionsFrom({
      isWhole: (path) => whole.has(path),
      inside: (path) => inside.get(path) ?? nothing,
    }),
    workspace: {
      base,
      trees: {
        list(tree) {
          const listed = lists.get(tree) ?? ask({ tree }).then((answer) => answer.listed ?? []);
          lists.set(tree, listed);
          return listed;
        },
        async read(tree, path) {
          const { bytes } = await ask({ tree, path });
          return bytes && Buffer.from(bytes.buffer);
        },
      },
    },
  };
}

function askStarter(question: Omit<TreeQuestion, "id">): Promise<TreeAnswer> {
  const { promise, resolve } = Promise.withResolvers<TreeAnswer>();
  const id = ++asked;
  waiting.set(id, resolve);
  parentPort?.postMessage({ asks: { id, ...question } });
  return promise;
}
