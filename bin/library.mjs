/** The door of `import "millwright"`: an older Node would fail at a module of its own that it does not have, and not say why. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  throw new Error(
    `Millwright's library needs Node 22.18 or later, and this is ${process.versions.node}. ` +
      "Its package brings one: `npx node PROGRAM`.",
  );
}

export const { listRuns, MillwrightError, readRun, replay, resume, solve } = await import(
  "../dist/library.js"
);
