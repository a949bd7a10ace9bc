/** Language servers that a configuration file names: the same records as ours, from JSON. */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { defineLanguageServer, type LanguageServer } from "./language-server.ts";

const configuredServer = z
  .strictObject({
    /** The program, searched as ours are, or its path from the repository's root; and its arguments. */
    command: z.array(z.string().min(1)).min(1),
    /** The protocol's language identifier of each extension. */
    languages: z.record(z.string().regex(/^\.[^/]+$/), z.string().min(1)),
    initializationOptions: z.unknown(),
    settings: z.record(z.string(), z.unknown()),
    env: z.record(z.string(), z.string()),
    readiness: z.enum(["at-once", "progress"]),
    rootFiles: z.array(z.string()),
  })
  .partial()
  .required({ command: true, languages: true });

const configuredServers = z.record(z.string().min(1), configuredServer);

/** `source` names the file in messages. Throws MillwrightError("usage"). */
export function parseConfiguredServers(value: unknown, source: string): LanguageServer[] {
  const parsed = configuredServers.safeParse(value);
  if (!parsed.success) {
    throw new MillwrightError(
      "usage",
      `${source}: "languageServers" is wrong: ${z.prettifyError(parsed.error)}`,
      {
        hint: '{ "NAME": { "command": ["PROGRAM", "ARGUMENT"], "languages": { ".ext": "language" } } }',
      },
    );
  }
  return Object.entries(parsed.data).map(([name, { command, languages, settings, ...rest }]) => {
    const [program = "", ...own] = command;
    const { initializationOptions, env, readiness = "progress", rootFiles } = rest;
    return defineLanguageServer({
      name,
      title: `${name}, which ${source} names`,
      languageIds: languages,
      programs: [{ program, arguments: own }],
      remedy: `Install ${program}, or correct ${source}.`,
      readiness,
      ...(initializationOptions === undefined ? {} : { initializationOptions }),
      ...(settings === undefined ? {} : { settings: () => settings }),
      ...(env === undefined ? {} : { env }),
      ...(rootFiles === undefined ? {} : { rootFiles }),
    });
  });
}
