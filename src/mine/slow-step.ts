/**
 * Decides one change in a step that runs tests. The pipeline calls this on its own machine, and workers of a queue call
 * it for jobs.
 */
import { z } from "zod";
import type { GradingOptions } from "../bench/open-task.ts";
import {
  type Candidate,
  changeSchema,
  keep,
  type Outcome,
  type Review,
  splitSchema,
  type Validation,
  validationSchema,
} from "./contract.ts";
import type { HistoryTrees } from "./history-trees.ts";
import { readProject, readVersion } from "./project-at.ts";
import { reviewChange } from "./review/review-change.ts";
import { validateChange } from "./validate.ts";

/** The steps that run tests. Their changes can become jobs of a queue. */
export const slowSteps = ["validate", "review"] as const;

/** The work of one change in one step, as data for another machine. */
export const slowJobSchema = z.object({
  step: z.enum(slowSteps),
  /** The hash of everything on which the result depends. */
  key: z.string(),
  candidate: z.object({
    change: changeSchema,
    split: splitSchema.exactOptional(),
    validation: validationSchema.exactOptional(),
  }),
  given: z.object({ setup: z.string().exactOptional(), testCommand: z.string().exactOptional() }),
  suiteLimitMs: z.number(),
});
export type SlowJob = z.infer<typeof slowJobSchema>;

export interface SlowWork {
  readonly gitDirectory: string;
  readonly trees: HistoryTrees;
}

type Asked = Pick<SlowJob, "given" | "suiteLimitMs"> & {
  readonly candidate: Candidate;
  readonly options: GradingOptions;
};

export interface SlowSteps {
  validate(asked: Asked): Promise<Outcome<Validation>>;
  review(asked: Omit<Asked, "given" | "suiteLimitMs">): Promise<Outcome<Review>>;
}

/**
 * Opens the steps for one repository. `validate` first tries the recipe that worked for the last change that it kept.
 */
export function openSlowSteps({ gitDirectory, trees }: SlowWork): SlowSteps {
  let preferred: string | undefined;
  return {
    async validate({ candidate: { change, split }, given, suiteLimitMs, options }) {
      if (split === undefined) throw new Error("a change without a split cannot be validated");
      const project = await readProject(trees.store, await trees.treeOf(change.base));
      const version = await readVersion(gitDirectory, change.base);
      const request = { change, split, project, version, options, suiteLimitMs, given, preferred };
      const outcome = await validateChange(request);
      if (outcome.verdict === "kept") preferred = outcome.value.attempts.find(({ works }) => works)?.recipe;
      return outcome;
    },
    async review({ candidate: { change, split, validation }, options }) {
      if (split === undefined || validation === undefined)
        throw new Error("a change without a validation cannot be reviewed");
      const version = await readVersion(gitDirectory, change.base);
      return keep(await reviewChange({ change, split, validation, version, options }));
    },
  };
}
