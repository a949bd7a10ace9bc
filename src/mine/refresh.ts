/** Adds changes to a dataset that the repository merged after the dataset's publication. */
import { MillwrightError } from "../base/errors.ts";
import { runForeignGit } from "../workspace/foreign-git.ts";
import { type Mined, mine } from "./pipeline.ts";
import { readPublished, settingsOf } from "./publish/published.ts";
import type { MineRequest } from "./settings.ts";

/**
 * Adds new changes to a published dataset, with the dataset's own settings. Also tries the changes again that earlier
 * runs could not decide. Throws MillwrightError for a dataset of inserted faults, or a clone without the dataset's
 * newest commit. Throws AbortError if the signal stops it.
 */
export async function refresh(request: MineRequest): Promise<Mined> {
  const { folder } = request;
  const published = await readPublished(folder);
  if (published.reports.some(({ step }) => step === "seed"))
    throw new MillwrightError("usage", `The tasks in ${folder} come from inserted faults, not from changes`, {
      hint: "Run `bench mine mutants` again with a larger --count.",
    });
  const settings = settingsOf(published, request.settings);
  const { gitDirectory } = settings;
  const { head: after } = published;
  const { exitCode } = await runForeignGit({
    gitDirectory,
    arguments: ["merge-base", "--is-ancestor", after, "HEAD"],
    answers: [0, 1, 128],
  });
  if (exitCode !== 0)
    throw new MillwrightError("repository", `The clone's HEAD does not contain ${after}`, {
      hint: "The dataset ends at this commit. Give a clone that contains the commit, or mine into a new folder.",
    });
  return mine({ ...request, settings: { ...settings, after } }, "publish", published);
}
