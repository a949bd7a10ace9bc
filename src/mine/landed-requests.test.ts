import { expect, test } from "vitest";
import type { MergedRequest } from "../forge-hosts/contract.ts";
import type { Commit } from "./history.ts";
import { findLanded } from "./landed-requests.ts";

const moment = (hour: number): string => `2024-03-01T0${hour}:00:00Z`;
const commit = (id: string, message: string, hour: number, parents = ["p"]): Commit => ({
  ...{ id, parents, message, files: [], date: moment(9), authored: moment(hour) },
});
const request = (number: number, landed: string): MergedRequest => ({
  ...{ number, title: "", body: "", labels: [], base: undefined, head: "", landed },
  ...{ opened: moment(1), merged: moment(9), updated: moment(9) },
});

async function idsOf(
  mainLine: readonly Commit[],
  requests: readonly MergedRequest[],
  own: readonly Commit[],
) {
  const commits = own.map(({ message, authored }) => ({
    subject: message.split("\n")[0] ?? "",
    // The same moment in another zone.
    authored: authored.replace("T0", "T1").replace("Z", "+10:00"),
  }));
  const landed = await findLanded(mainLine, requests, async () => commits);
  return [...landed].map(([id, found]) => [id, found.commits.map((each) => each.id)]);
}

const first = commit("a", "Add\n\nMore.", 1);
const second = commit("b", "Test", 2);
const other = commit("o", "Other", 3);

test("a rebased request is its run of commits", async () => {
  expect(
    await idsOf([other, second, first, commit("c", "Before", 0)], [request(1, "b")], [first, second]),
  ).toEqual([["b", ["b", "a"]]]);
});

test("the run ends at a commit of somebody else and at another request", async () => {
  expect(await idsOf([second, other, first], [request(1, "b")], [first, second])).toEqual([["b", ["b"]]]);
  expect(await idsOf([second, first], [request(1, "b"), request(2, "a")], [first, second])).toEqual([
    ["b", ["b"]],
    ["a", ["a"]],
  ]);
});

test("squashes and merges are one commit", async () => {
  expect(await idsOf([commit("s", "Title (#1)", 5), second], [request(1, "s")], [first, second])).toEqual([
    ["s", ["s"]],
  ]);
  expect(await idsOf([commit("s", "Title", 5), second, first], [request(1, "s")], [first, second])).toEqual([
    ["s", ["s"]],
  ]);
  const merge = commit("m", "Merge", 2, ["p", "q"]);
  expect(await idsOf([merge, first], [request(1, "m")], [first, second])).toEqual([["m", ["m"]]]);
});
