import { expect, test } from "vitest";
import { findBrokenLinks, linkedPaths } from "./broken-links.ts";

test("links of a page are paths of the repository, without addresses, anchors and examples of code", () => {
  const page = [
    "See [the guide](guide.md#start), ![a picture](<../img/a%20b.png>) and [the root](/README.md).",
    "[site](https://example.com/x) [here](#here) [mail](mailto:a@b.c) [made]({{base}}/x) `[code](no.md)`",
    "```md\n[fenced](no.md)\n```",
    "[ref]: other/page.md",
  ].join("\n");
  expect(linkedPaths("docs/index.md", page)).toEqual([
    ...["docs/guide.md", "img/a b.png", "README.md", "docs/other/page.md"],
  ]);
});

const tree = (...paths: string[]) => new Set(["README.md", ...paths]);

test("a new link to nothing is broken, and so is an old one whose target the patch removes", () => {
  const file = (before: string | undefined, after: string) => [{ path: "README.md", before, after }];
  const [with_, without] = [tree("docs/a.md", "docs/b.md"), tree("docs/a.md")];
  const broken = (before: string | undefined, after: string, left = with_) =>
    findBrokenLinks({ before: with_, after: left, files: file(before, after) });
  expect(broken("", "[b](docs/b.md) [b](docs/b) [b](docs/b.html) [all](docs/)")).toEqual([]);
  expect(broken("", "[c](docs/c.md)")).toEqual(["README.md: docs/c.md"]);
  expect(broken("[c](docs/c.md)", "[c](docs/c.md), reworded")).toEqual([]);
  expect(broken("[b](docs/b.md)", "[b](docs/b.md)", without)).toEqual(["README.md: docs/b.md"]);
});
