/** Opens the newest commit with an environment in which its tests pass. */
import { countOf } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { type OpenTask, openTask, withCheckout } from "../../bench/open-task.ts";
import type { TestPlan, TimedRun } from "../../bench/task-tests.ts";
import { runForeignGit } from "../../workspace/foreign-git.ts";
import type { Change, Split } from "../contract.ts";
import { mainLanguage } from "../history.ts";
import type { HistoryTrees } from "../history-trees.ts";
import { readProject, readVersion } from "../project-at.ts";
import { listRecipes, type Recipe } from "../recipes.ts";
import type { MineRequest } from "../settings.ts";
import { taskOf } from "../validate.ts";

export interface Suite {
  readonly open: OpenTask;
  readonly recipe: Recipe;
  readonly plan: TestPlan;
  readonly run: TimedRun;
  readonly change: Change;
  readonly version: string;
}

const none: Split = {
  ...{ goldPatch: "", testPatch: "", codeFiles: [], testFiles: [], mixedFiles: [] },
  ...{ hunks: 0, lines: 0 },
};

/**
 * Opens the newest commit with the first recipe that makes most of its tests pass. Throws MillwrightError("repository")
 * if no such recipe exists, and AbortError if the signal stops it.
 */
export async function openSuite({
  settings,
  trees,
  options,
}: Pick<MineRequest, "settings" | "options"> & { readonly trees: HistoryTrees }): Promise<Suite> {
  const { gitDirectory, repository, given } = settings;
  const head = await runForeignGit({ gitDirectory, arguments: ["log", "-1", "--format=%H %cI", "HEAD"] });
  const [commit = "", date = ""] = head.stdout.toString("latin1").trim().split(" ");
  const project = await readProject(trees.store, await trees.treeOf(commit));
  const language = mainLanguage(project.files);
  const change: Change = {
    ...{ id: "seeded", repository, base: commit, commit, date, subject: "", foundBy: "seeded", issues: [] },
    ...{ statement: "", statementFrom: "failure", language, code: 1 },
  };
  const version = await readVersion(gitDirectory, commit);
  const isGiven = given.setup !== undefined || given.testCommand !== undefined;
  const recipes = isGiven
    ? [{ name: "the given environment", ...given }]
    : listRecipes(project, language, date);
  const told: string[] = [];
  for (const recipe of recipes) {
    const tried = await tryRecipe(recipe);
    if (typeof tried !== "string") return { ...tried, recipe, change, version };
    told.push(`${recipe.name}: ${tried}`);
  }
  throw new MillwrightError(
    "repository",
    `Most of the repository's tests pass in none of these environments: ${told.join("; ")}`,
    {
      hint: "Describe an environment with --setup and --test-command.",
    },
  );

  async function tryRecipe(recipe: Recipe): Promise<Pick<Suite, "open" | "plan" | "run"> | string> {
    let open: OpenTask | undefined;
    try {
      open = await openTask(taskOf({ change, split: none, version }, recipe), options);
      const own = open;
      const plan = await withCheckout(own, (checkout) => own.plan(checkout));
      const run = await withCheckout(own, (checkout) => own.run(checkout, own.trees.base, plan));
      const passed = run.outcomes.filter(({ status }) => status === "passed").length;
      if (passed > 0 && passed * 2 > run.outcomes.length) return { open: own, plan, run };
      await own.close();
      return `${passed} of ${countOf(run.outcomes.length, "test")} pass`;
    } catch (error) {
      await open?.close();
      if (!(error instanceof MillwrightError) || options.signal.aborted) throw error;
      return error.message.slice(0, 300);
    }
  }
}
