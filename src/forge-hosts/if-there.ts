import { MillwrightError } from "../base/errors.ts";
import { MissingError } from "./contract.ts";

/** The result; undefined if the host has no such thing. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (ownError(error) instanceof MissingError) return undefined;
    throw error;
  }
}

/** The error of our `fetch`, which clients wrap into their own; undefined if it is another. */
export function ownError(error: unknown): MissingError | MillwrightError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof MissingError || each instanceof MillwrightError) return each;
  return undefined;
}
