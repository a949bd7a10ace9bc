/** Limits package managers to the packages that existed on a day. */
import { z } from "zod";
import { runForeignGit } from "../workspace/foreign-git.ts";
import type { FoundCommit } from "./find-repository.ts";

/** A day such as `2023-06-30`, or `commit` for the day of the task's base commit. */
export const packageDaySchema = z.union([z.literal("commit"), z.iso.date()]);
export type PackageDay = z.infer<typeof packageDaySchema>;

/** Returns the day in the form `2023-06-30`. */
export async function findPackageDay(
  day: PackageDay,
  { gitDirectory, commit }: FoundCommit,
): Promise<string> {
  if (day !== "commit") return day;
  const shown = await runForeignGit({
    gitDirectory,
    arguments: ["show", "--no-patch", "--format=%cd", "--date=format-local:%Y-%m-%d", commit],
    env: { TZ: "UTC" },
  });
  return shown.stdout.toString("utf8").trim();
}

/**
 * Returns the variables by which package managers leave out packages that are younger than the day: pip from version
 * 26.0, uv and npm. `MILLWRIGHT_DATE` is for a setup's own use.
 */
export function packageVariables(day: string): Record<string, string> {
  const end = `${day}T23:59:59Z`;
  return {
    MILLWRIGHT_DATE: day,
    PIP_UPLOADED_PRIOR_TO: end,
    UV_EXCLUDE_NEWER: end,
    npm_config_before: end,
  };
}
