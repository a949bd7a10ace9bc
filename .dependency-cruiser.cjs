// The table of docs/architecture.md: a folder may import a folder with a smaller number, never its own, never a larger one.
const layers = require("./scripts/layers.json");

const rules = Object.entries(layers).map(([folder, layer]) => {
  const allowed = Object.entries(layers)
    .filter(([other, otherLayer]) => other === folder || otherLayer < layer)
    .map(([other]) => other);
  return {
    name: `layer-${folder}`,
    severity: "error",
    comment: `src/${folder} is layer ${layer}: it may import only lower layers`,
    from: { path: `^src/${folder}/` },
    to: { path: "^src/", pathNot: `^src/(${allowed.join("|")})/` },
  };
});

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "known-folder",
      comment: "every folder of src stands in scripts/layers.json",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/((${Object.keys(layers).join("|")})/|library\\.ts$)` },
      to: {},
    },
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
    ...rules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
  },
};
