import { expect, test } from "vitest";
import { nextVersion, type Retired, retiredIn, type Version } from "./versions.ts";

function publish(versions: readonly Version[], ids: string[], retired: Retired[] = []): Version[] {
  const next = nextVersion(versions, { ids, head: "1".repeat(40), sha256: ids.join() }, retired);
  return next === undefined ? [...versions] : [...versions, next];
}

test("the same tasks make no new version", () => {
  const first = publish([], ["a", "b"]);
  expect(first).toMatchObject([{ version: 1, tasks: 2, added: ["a", "b"], retired: [] }]);
  expect(publish(first, ["a", "b"])).toEqual(first);
});

test("a version names the tasks that came, and those that went with their causes", () => {
  const unfit = { id: "a", cause: "unfit", detail: "the gold patch is unresolved" };
  const versions = publish(publish(publish([], ["a", "b"]), ["a", "b", "c"]), ["c"], [unfit]);
  expect(versions[1]).toMatchObject({ version: 2, added: ["c"], retired: [] });
  expect(versions[2]).toMatchObject({
    ...{ version: 3, tasks: 1, added: [] },
    retired: [unfit, { id: "b", cause: "left-out" }],
  });
  expect(retiredIn(versions)).toEqual([unfit]);
});

test("a task that the rules left out returns as added", () => {
  const versions = publish(publish(publish([], ["a", "b"]), ["a"]), ["a", "b"]);
  expect(versions[2]).toMatchObject({ added: ["b"], retired: [] });
});
