import { expect, test } from "vitest";
import { findBrokenLinks, linkedPaths } from "./broken-links.ts";

test("links of a page are paths of the repository, without addresses, anchors and examples of code", () => {
  const page = [
    "See [the guide](guide.md#start), ![a picture](<../img/a%20b.png>) and [the root](/README.md).",
    "[site](https://example.com/x) [here](#here) [mail](mailto:a@b.c) [made]({{base}}/x) `[code](no.md)`",
    "```md\n[fenced](no.md)\n```",
    "[ref]: other/page.md",
  ].join("\n");
  expect(linkedPaths("docs/index.md", page).sort()).toEqual([
    ...["README.md", "docs/guide.md", "docs/other/page.md", "img/a b.png"],
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

test("links that a site resolves, footnotes, code and comments are not broken", () => {
  const page = [
    "[a](b_(x).md) [b](<my file.md>) [c](%C3%A9.md) [site](@site/docs/a.md) [pretty](../a/) [wiki](Home)",
    "[generated](api/generated.html) [root](/a) [release](releases) foo[1](bar) - [ ](x)",
    "[^1]: see the paper",
    "[note]: this is just text",
    "    handlers[name](event.md)",
    "- item\n  ```md\n  [fenced](no.md)\n  ```",
    "`` `[a](no.md)` `` <!-- [a](old.md) -->",
  ].join("\n");
  const paths = tree("b_(x).md", "my file.md", "é.md");
  expect(
    findBrokenLinks({ before: paths, after: paths, files: [{ path: "index.md", before: "", after: page }] }),
  ).toEqual([]);
});

test("a longer fence shows a shorter one, and inline code opens none", () => {
  const page = [
    "````md\n```\n[x](shown.md)\n```\n<!--\n````",
    "```npm i``` installs it",
    "[a](gone.md)",
    '[b]: other.md "Title"',
    "```\n[x](fenced.md)\n```",
  ].join("\n");
  expect(linkedPaths("index.md", page).sort()).toEqual(["gone.md", "other.md"]);
});

test("a hostile page is read in linear time", () => {
  const pages = [
    "](".repeat(500_000),
    `![x](data:image/png;base64,${"A".repeat(900_000)}`,
    "`".repeat(900_000),
  ];
  for (const page of pages) expect(linkedPaths("index.md", page)).toEqual([]);
  expect(linkedPaths("index.md", `${"](".repeat(900)}\n`.repeat(500))).toEqual([]);
});
