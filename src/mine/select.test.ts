import { expect, test } from "vitest";
import { type Criteria, type Figures, judgeFigures } from "./select.ts";

const figures: Figures = {
  ...{ stars: 120, language: "Python", active: "2024-06-01T10:00:00Z", isArchived: false, isFork: false },
  ...{ merged: 30, sourceFiles: 9, testFiles: 4, meanComments: 2 },
};
const criteria: Criteria = {
  ...{ language: "python", leastStars: 120, activeSince: "2024-06-01", leastMerged: 30 },
  ...{ leastTests: 4, leastComments: 2 },
};

test("a repository that just meets each criterion is kept", () => {
  expect(judgeFigures(figures, criteria)).toEqual({ verdict: "kept", value: figures });
});

test.each<[string, Partial<Figures>]>([
  ["archived", { isArchived: true }],
  ["fork", { isFork: true }],
  ["no-code", { sourceFiles: 0 }],
  ["language", { language: "Go" }],
  ["few-stars", { stars: 119 }],
  ["not-kept-up", { active: "2024-05-31T23:00:00Z" }],
  ["not-kept-up", { active: "" }],
  ["few-tests", { testFiles: 3 }],
  ["little-discussion", { meanComments: 1.9 }],
  ["few-merges", { merged: 29 }],
])("each criterion drops by its own cause: %s", (cause, changed) => {
  expect(judgeFigures({ ...figures, ...changed }, criteria)).toMatchObject({ verdict: "dropped", cause });
});

test("a repository is not dropped for merged requests that nobody counted", () => {
  expect(judgeFigures({ ...figures, merged: undefined }, criteria).verdict).toBe("kept");
});

test("without criteria, only archives, forks and repositories without code are dropped", () => {
  const none = {
    language: "",
    leastStars: 0,
    activeSince: "",
    leastMerged: 0,
    leastTests: 0,
    leastComments: 0,
  };
  const poor = { ...figures, stars: 0, active: "", merged: 0, testFiles: 0, meanComments: 0 };
  expect(judgeFigures(poor, none).verdict).toBe("kept");
});
