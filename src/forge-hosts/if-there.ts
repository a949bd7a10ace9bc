import { MillwrightError } from "../base/errors.ts";
import { MissingError } from "./contract.ts";

/** Returns the result of a request; undefined if it fails with MissingError. Rethrows other errors. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (ownError(error) instanceof MissingError) return undefined;
    throw error;
  }
}

/** Finds the error that our `fetch` threw inside the error of a host's client; undefined if another cause failed. */
export function ownError(error: unknown): MissingError | MillwrightError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof MissingError || each instanceof MillwrightError) return each;
  return undefined;
}
