import type { Command } from "commander";

/**
 * The commands by name, in the order of `--help`. If the user calls a command, Millwright loads only this command's
 * modules. For `--help` and unknown names, it loads all.
 */
export const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  solve: async () => (await import("./commands/solve.ts")).addSolveCommand,
  act: async () => (await import("./commands/act.ts")).addActCommand,
  tests: async () => (await import("./commands/tests.ts")).addTestsCommand,
  trace: async () => (await import("./commands/trace.ts")).addTraceCommand,
  forge: async () => (await import("./commands/forge.ts")).addForgeCommand,
  localize: async () => (await import("./commands/localize.ts")).addLocalizeCommand,
  resume: async () => (await import("./commands/resume.ts")).addResumeCommand,
  replay: async () => (await import("./commands/replay.ts")).addReplayCommand,
  runs: async () => (await import("./commands/runs.ts")).addRunsCommand,
  show: async () => (await import("./commands/show.ts")).addShowCommand,
  import: async () => (await import("./commands/import.ts")).addImportCommand,
  edit: async () => (await import("./commands/edit.ts")).addEditCommand,
  bench: async () => (await import("./commands/bench.ts")).addBenchCommand,
  worker: async () => (await import("./commands/worker.ts")).addWorkerCommand,
  index: async () => (await import("./commands/index.ts")).addIndexCommand,
  find: async () => (await import("./commands/find.ts")).addFindCommand,
  symbol: async () => (await import("./commands/symbol.ts")).addSymbolCommand,
  references: async () => (await import("./commands/references.ts")).addReferencesCommand,
  outline: async () => (await import("./commands/outline.ts")).addOutlineCommand,
  map: async () => (await import("./commands/map.ts")).addMapCommand,
  lsp: async () => (await import("./commands/lsp.ts")).addLspCommand,
  mcp: async () => (await import("./commands/mcp.ts")).addMcpCommand,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
};
