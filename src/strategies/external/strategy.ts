/**
 * Runs any agent that is a command. The agent gets the statement, and the repository in a sandbox. The run's model is a
 * server of chat completions on the sandbox's loopback. This is the interface of USEbench: a description and a
 * container, without the rules of judgement.
 */

import { join, posix } from "node:path";
import { z } from "zod";
import { keyForArm } from "../../agent/control/arm.ts";
import { endWithout } from "../../agent/control/conclude.ts";
import { stateRequest } from "../../agent/kinds/order-of.ts";
import { appendOnce } from "../../agent/record/once.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { renderOutput } from "../../base/captured-output.ts";
import { MillwrightError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { formatDuration } from "../../base/units.ts";
import { noFindings } from "../../domain/finding.ts";
import { type Task, taskKindSchema } from "../../domain/task.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { recordAgentWork } from "./agent-work.ts";
import { serveAgent } from "./serve-agent.ts";

export default defineStrategy({
  name: "external",
  description:
    "runs a command as the agent, and gives it the statement, the repository and access to the run's model",
  kinds: taskKindSchema.options,
  needsModel: "optional",
  run: runExternal,
});

/** The default time limit in milliseconds, without `--max-time`. */
const usualMs = 3_600_000;
const noPython = "millwright: no python3";
const starter = `command -v python3 >/dev/null 2>&1 || { echo "${noPython}" >&2; exit 127; }; exec python3 "$0" "$@"`;
/** Bytes kept of each stream, half from its start and half from its end. */
const outputBytes = 1024 * 1024;

const endSchema = z.object({
  end: z.string(),
  exitCode: z.int().nullable(),
  /** Handles of the stored texts: `outputs/HANDLE.txt`. */
  stdout: z.string(),
  stderr: z.string(),
  /** The end of both streams, for people. */
  last: z.string(),
  tree: z.string(),
  leftOut: z.array(z.string()),
  limit: z.string().optional(),
  allowedMs: z.number(),
});
type AgentEnd = z.infer<typeof endSchema>;

async function runExternal(context: StrategyContext): Promise<StrategyEnd> {
  const { recorder, agentCommand: command, workspace } = context;
  if (command === undefined) return endWithout("The agent's command is missing.");
  recorder.append({ event: "phase-started", phase: "repair", title: "let the agent work" });
  const ended = await recorder.step(
    { key: keyForArm(recorder, "external"), title: "run the agent", schema: endSchema },
    () => runAgent(context, command),
  );
  const failed = whyFailed(ended);
  const remarks = ended.leftOut.map((what) => `Not part of the patch: ${what}`);
  const said = { gate: [], candidates: 0, findings: { ...noFindings, remarks } };
  const limited = ended.limit !== undefined;
  const why = failed ?? ended.limit;
  const because = why === undefined ? "" : `: ${why}`;
  const failure = failed === undefined || limited ? {} : { failed };
  if (ended.tree === workspace.base)
    return { ...said, ...failure, outcome: "none", limited, reason: `The agent changed nothing${because}.` };
  const candidate = { id: "c1", tree: ended.tree, kind: "code", origin: "the external agent" } as const;
  appendOnce(recorder, { event: "candidate-created", candidate }, () => true);
  const reason = `Millwright has not judged the agent's changes${because}.`;
  return { ...said, ...failure, outcome: "unverified", limited, reason, candidate, candidates: 1 };
}

function whyFailed({ end, exitCode, last, allowedMs }: AgentEnd): string | undefined {
  if (end === "exited" && exitCode === 0) return undefined;
  const how =
    end === "timed-out"
      ? `the agent exceeded its time limit of ${formatDuration(allowedMs)}`
      : end === "out-of-memory"
        ? "the agent exceeded the memory limit and was killed"
        : `the agent ended with exit code ${exitCode ?? "unknown"}`;
  return last === "" ? how : `${how}: ${last}`;
}

async function runAgent(context: StrategyContext, command: string): Promise<AgentEnd> {
  const { workspace, recorder, limits, models, agentFolder } = context;
  const shown = agentFolder === undefined ? [] : [agentFolder];
  const checkout = await workspace.openCheckout({ shown });
  const attempt = 1 + recorder.events.filter((event) => event.event === "run-resumed").length;
  const work = recordAgentWork(recorder, attempt);
  const broken = new AbortController();
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const socket = "agent.socket";
  const endpoint = await serveAgent({
    ...{ models, limits, work, signal, socket: join(checkout.channels.host, socket) },
    onFailure: () => broken.abort(),
  });
  try {
    const allowedMs = Number.isFinite(limits.remainingMs()) ? Math.max(1000, limits.remainingMs()) : usualMs;
    const statement = await writeStatement(checkout, context.task);
    await makeFolders(checkout.temporary.host);
    const { runtime, channels, names, root, temporary } = checkout;
    const result = await checkout.execute({
      run: [
        ...["sh", "-c", starter],
        `${runtime}/agent/start.py`,
        posix.join(channels.inside, socket),
        names.meant(command),
      ],
      env: {
        TMPDIR: temporary.inside,
        MILLWRIGHT_STATEMENT: statement,
        MILLWRIGHT_CHECKOUT: root,
        ...(agentFolder === undefined ? {} : { MILLWRIGHT_AGENT: agentFolder }),
        MILLWRIGHT_MODEL: models?.modelOf("editing").name ?? "",
        OPENAI_API_KEY: "millwright",
      },
      timeoutMs: allowedMs,
      outputBytes,
      signal,
    });
    context.signal.throwIfAborted();
    if (result.exitCode === 127 && renderOutput(result.stderr).trim() === noPython)
      throw new MillwrightError(
        "sandbox",
        "The sandbox has no python3, and Millwright needs python3 to start an external agent",
      );
    const failure = endpoint.failure();
    if (failure !== undefined)
      throw new MillwrightError("model", `The agent's model failed: ${failure.message}`);
    const [stdout, stderr] = [result.stdout, result.stderr].map((kept) => names.show(renderOutput(kept)));
    const limit = endpoint.limit();
    const taken = await checkout.take();
    return {
      ...{ end: result.end, exitCode: result.exitCode, allowedMs },
      ...{ stdout: recorder.outputs.keep(stdout ?? ""), stderr: recorder.outputs.keep(stderr ?? "") },
      last:
        [stderr, stdout]
          .find((text) => text?.trim() !== "")
          ?.trim()
          .slice(-300) ?? "",
      ...{ tree: taken.tree, leftOut: [...taken.leftOut] },
      ...(limit === undefined ? {} : { limit }),
    };
  } finally {
    await work.ended();
    await endpoint.close();
    await checkout.close();
  }
}

/** Writes the statement with the task's other fields, because this text is the agent's only input. */
async function writeStatement(checkout: Checkout, task: Task): Promise<string> {
  const { target, partialPatch, failingTests = [] } = task;
  const statement = stateRequest(task);
  const parts = [
    statement.trim() === "" && failingTests.length === 0
      ? "Tests of this repository fail. Change the code to make them pass."
      : statement,
    target === undefined ? "" : `The target: \`${target}\``,
    failingTests.length === 0
      ? ""
      : `Tests that fail:\n\n${failingTests.map((name) => `- ${name}`).join("\n")}`,
    partialPatch === undefined
      ? ""
      : `An earlier attempt, which may be wrong:\n\n\`\`\`diff\n${partialPatch.trimEnd()}\n\`\`\``,
  ].filter((part) => part.trim() !== "");
  const name = "statement.md";
  await writeFileAtomically(join(checkout.scratch.host, name), `${parts.join("\n\n")}\n`, 0o644);
  return posix.join(checkout.scratch.inside, name);
}
