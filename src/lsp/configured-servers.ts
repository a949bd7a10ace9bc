/** Reads language servers from a configuration file. The records are the same as ours, but in JSON. */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { defineLanguageServer, type LanguageServer } from "./language-server.ts";

const configuredServer = z
  .strictObject({
    /**
     * The program and its arguments. Millwright searches for the program as for its own servers, unless the program is
     * a path from the repository's root.
     */
    command: z.array(z.string().min(1)).min(1),
    /** The protocol's language identifier for each extension. */
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

/**
 * Parses servers from a settings file. `source` names the file in messages. Throws MillwrightError("usage") for an
 * invalid value.
 */
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
