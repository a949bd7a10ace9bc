import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { declaredShapes } from "../declared-types.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "slice-shift",
  description:
    "Replaces a sequence with a part of it, or a part with the whole. A part omits the first or last element, or begins or ends at a number in scope.",
  source: "TBar FP11 and PAR's range checker, for sequences",
  prior: 0.35,
  at: ["identifier", "attribute", "subscript"],
  *apply(site): Generator<Edit | undefined> {
    const { node, source } = site;
    const { spelling } = source.dialect;
    if (site.role === "subscript") {
      const index = partOf(source, node, "index");
      const object = partOf(source, node, "object");
      const isSlice = index !== undefined && roleOf(source, index) === "slice";
      if (isSlice && object !== undefined) yield replaceNode(node, textAt(site, object), 0.8);
      return;
    }
    if (!isSequenceHere(site)) return;
    const name = textAt(site);
    const bounds = site.variables.filter((variable) => site.context.shapes.get(variable.name)?.has("number"));
    const shape = declaredShapes(site).get(name);
    yield replaceNode(node, spelling.sliceFrom(name, "1", shape));
    yield replaceNode(node, spelling.sliceTo(name, "-1", shape), 0.8);
    for (const bound of bounds.filter((variable) => variable.name !== name).slice(0, 3)) {
      yield replaceNode(node, spelling.sliceFrom(name, bound.name, shape), 0.7);
      yield replaceNode(node, spelling.sliceTo(name, bound.name, shape), 0.6);
    }
  },
});

/** True for an argument or an iterated value. The file must show that it is a sequence, or not show its kind. */
function isSequenceHere(site: Site): boolean {
  const { node, source, context } = site;
  const parent = node.parent;
  if (parent === undefined) return false;
  const shapes = context.shapes.get(textAt(site));
  const role = roleOf(source, parent);
  if (role === "for-each") return partOf(source, parent, "iterable") === node;
  if (role === "return") return shapes?.has("sequence") === true;
  if (role !== "arguments" || (shapes !== undefined && !shapes.has("sequence"))) return false;
  const call = parent.parent && callOf(source, parent.parent);
  return call !== undefined && call.name !== "len" && (shapes !== undefined || isParameter(site));
}

function isParameter(site: Site): boolean {
  const name = textAt(site);
  return site.variables.some((variable) => variable.name === name && variable.kind === "parameter");
}
