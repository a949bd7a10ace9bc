/** A piece of shell text in a file. */
export interface WrittenScript {
  /** Folder that it runs in, relative to the root; "" is the root. */
  readonly directory: string;
  readonly text: string;
  /** Variables that its file sets for the script. */
  readonly env: Readonly<Record<string, string>>;
  /** The file and the place in it: `.github/workflows/ci.yml, job test`. */
  readonly foundBy: string;
  /** The likelihood that the script runs the tests like the project's developers, from 0 to 1. */
  readonly trust: number;
}

/** Names of targets, tasks and environments that run tests. */
export const testName =
  /^(?:tests?|check|unit|units|spec|pytest|unit-?tests?|tests?[-_:.](?:unit|all|local|py|python|js|ci|cov|coverage|fast|units)|check-?tests?|run-?tests?|all-?tests?|coverage|cov|ci|verify|unittests?)$/i;
