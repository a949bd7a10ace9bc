import { partOf, roleOf } from "../../syntax/reading.ts";
import { ownNodes } from "../../syntax/statements.ts";
import { exits } from "../exits.ts";
import { canInsertBefore } from "../sites.ts";
import { insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "range-guard",
  description: "Exits before a statement that would read beyond the end of a short sequence.",
  source: "PAR's range checker (Kim et al., ICSE 2013)",
  prior: 0.3,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!canInsertBefore(site) || ["function", "class", "import"].includes(site.statement.role)) return;
    const { spelling } = site.source.dialect;
    for (const { object, needed } of placesRead(site).slice(0, 3)) {
      const test = `${spelling.length(object)} < ${needed}`;
      for (const leave of exits(site)) yield insertBefore(site, spelling.ifLine(test, leave));
    }
  },
});

interface PlaceRead {
  readonly object: string;
  /** The minimum length for the place to exist. */
  readonly needed: string;
}

/** `a[3]`, `a[:4]`, `a[i]`: the object's name, and the last number or variable in the brackets. */
function placesRead(site: Site): PlaceRead[] {
  const found = new Map<string, PlaceRead>();
  for (const node of ownNodes(site.source, site.statement.node)) {
    const role = roleOf(site.source, node);
    if (role !== "subscript" && role !== "slice") continue;
    const object = partOf(site.source, node, "object");
    const text = textAt(site, node);
    const name = object === undefined ? "" : textAt(site, object);
    const place = /\[(?:.*?(?<range>:|\.\.=?))?\s*(?<end>\w+)\s*\]$/.exec(text.slice(name.length))?.groups;
    if (!/^[\w.]+$/.test(name) || place?.["end"] === undefined) continue;
    const end = place["end"];
    const isLast = place["range"] === undefined || place["range"] === "..=";
    const needed = !isLast ? end : /^\d+$/.test(end) ? String(Number(end) + 1) : `${end} + 1`;
    found.set(`${name} ${needed}`, { object: name, needed });
  }
  return [...found.values()];
}
