/** Reads a trajectory file. Recognises the format by the content. */
import { z } from "zod";
import { MillwrightError } from "../../base/errors.ts";
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
      () => read(parse(text, path)),
      `${path} is a trajectory of ${name}, but cannot be read`,
    );
    if (found !== undefined) return found;
  }
  throw new MillwrightError("usage", `${path} is not a trajectory in a known format`, {
    hint: `Known formats: ${formats.map(({ name }) => name).join(", ")}.`,
  });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
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
