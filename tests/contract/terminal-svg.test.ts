import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { terminalSvg } from "../../scripts/terminal-svg.ts";

test("a line keeps its text, has the colour of its kind, and is cut at the picture's edge", () => {
  const svg = terminalSvg(["$ run <it>", "✓ holds", "x".repeat(200)], "A & B");
  expect(svg).toContain('class="command">$ run &lt;it></text>');
  expect(svg).toContain('class="good">✓ holds</text>');
  expect(svg).toContain(`>${"x".repeat(103)}…</text>`);
  expect(svg).toContain("<title>A &amp; B</title>");
});

test("the README's picture shows a verified run and no folder of the machine that recorded it", () => {
  const root = join(import.meta.dirname, "../..");
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain("docs/session.svg");
  const picture = readFileSync(join(root, "docs/session.svg"), "utf8");
  expect(picture).toMatch(/>\$ millwright solve --issue ISSUE\.md<.*>Verified patch/s);
  expect(picture).not.toMatch(/\/(?:home|tmp|work|root)\//);
});
