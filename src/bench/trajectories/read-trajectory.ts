/** Reads a trajectory file. Recognises the format by the content. */
import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";
import { readJson } from "../../base/parse-json.ts";
import { atif } from "./atif.ts";
import type { Trajectory, TrajectoryFormat } from "./contract.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { openHands } from "./openhands.ts";
import { sweAgent } from "./swe-agent.ts";

const formats: readonly TrajectoryFormat[] = [miniSweAgent, atif, sweAgent, openHands];

/**
 * Reads another agent's trajectory. Throws MillwrightError("usage") if the text has no known format, or lacks a part of
 * it.
 */
export function readTrajectory(text: string, path: string): Trajectory {
  for (const { name, read } of formats) {
    const found = tryRead(
      () => checked(read(parse(text, path))),
      `${path} is a trajectory of ${name}, but cannot be read`,
    );
    if (found !== undefined) return found;
  }
  throw new MillwrightError("usage", `${path} is not a trajectory in a known format`, {
    hint: `Known formats: ${formats.map(({ name }) => name).join(", ")}.`,
  });
}

const count = z.int().min(0).max(1e9);
/** Figures that a run's record can hold. */
const figures = z.object({
  at: z.number().min(0).max(8.64e15).optional(),
  usage: z
    .object({
      inputTokens: count,
      cachedTokens: count,
      outputTokens: count,
      usd: z.number().min(0).max(1e6).optional(),
    })
    .optional(),
  calls: z.array(z.object({ ms: z.number().min(0).max(1e12).optional() })),
});

/** Returns the trajectory. Throws ZodError if a figure is impossible. */
function checked(found: Trajectory | undefined): Trajectory | undefined {
  if (found === undefined) return undefined;
  z.object({ turns: z.array(figures), total: figures.shape.usage }).parse(found);
  return found;
}

function parse(text: string, path: string): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    throw new MillwrightError("usage", `${path} is not JSON`, { cause });
  }
}

function tryRead(read: () => Trajectory | undefined, message: string): Trajectory | undefined {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const [issue] = cause.issues;
    throw new MillwrightError(
      "usage",
      `${message}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
      {
        cause,
      },
    );
  }
}
