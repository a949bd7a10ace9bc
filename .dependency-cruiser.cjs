// The tables of docs/architecture.md: a folder may import a folder with a smaller number, never another one with its own, never a larger.
const tables = require("./scripts/layers.json");

/** "." are the files that stand in the parent itself. */
const pathOf = (parent, folder) => (folder === "." ? `^${parent}/[^/]+$` : `^${parent}/${folder}/`);
const anyOf = (parent, folders) => `(${folders.map((folder) => pathOf(parent, folder)).join("|")})`;

const rules = Object.entries(tables).flatMap(([parent, layers]) =>
  Object.entries(layers).map(([folder, layer]) => {
    const allowed = Object.keys(layers).filter((other) => other === folder || layers[other] < layer);
    return {
      name: `layer-${parent}/${folder}`,
      severity: "error",
      comment: `${parent}/${folder} is layer ${layer}: it may import only lower layers`,
      from: { path: pathOf(parent, folder) },
      to: { path: `^${parent}/`, pathNot: anyOf(parent, allowed) },
    };
  }),
);

const known = Object.entries(tables).map(([parent, layers]) => ({
  name: `known-folder-${parent}`,
  comment: `every folder of ${parent} stands in scripts/layers.json`,
  severity: "error",
  from: { path: `^${parent}/`, pathNot: `(${anyOf(parent, Object.keys(layers))}|^src/library\\.ts$)` },
  to: {},
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-test-import",
      comment: "the program never imports a test",
      severity: "error",
      from: { path: "^src/", pathNot: "\\.test\\.ts$" },
      to: { path: "(\\.test\\.ts$|^tests/)" },
    },
    {
      name: "library",
      comment: "the library is a face beside the others",
      severity: "error",
      from: { path: "^src/library\\.ts$" },
      to: { path: "^src/(mcp|viewer|acp|cli)/" },
    },
    ...known,
    ...rules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
  },
};
