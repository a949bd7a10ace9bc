import { expect, test } from "vitest";
import { MillwrightError } from "../base/errors.ts";
import { parseConfiguredServers } from "./configured-servers.ts";

test("a server of a configuration file becomes a record like ours", () => {
  const [server] = parseConfiguredServers(
    {
      zls: {
        command: ["zls", "--stdio"],
        languages: { ".zig": "zig" },
        initializationOptions: { level: 3 },
        settings: { zls: { warn: true } },
        env: { CACHE: "{scratch}/zls" },
        rootFiles: ["build.zig"],
      },
    },
    "millwright.config.json",
  );
  expect(server).toMatchObject({
    name: "zls",
    languageIds: { ".zig": "zig" },
    programs: [{ program: "zls", arguments: ["--stdio"] }],
    initializationOptions: { level: 3 },
    env: { CACHE: "{scratch}/zls" },
    rootFiles: ["build.zig"],
    readiness: "progress",
  });
  expect(server?.settings?.({ root: "/", exists: () => false })).toEqual({ zls: { warn: true } });
  expect(server?.remedy).toContain("millwright.config.json");
});

test.each([
  ["no command", { x: { languages: { ".x": "x" } } }, /command/],
  ["an empty command", { x: { command: [], languages: { ".x": "x" } } }, /command/],
  ["an extension without a dot", { x: { command: ["x"], languages: { x: "x" } } }, /at x\.languages\.x/],
  ["a field that does not exist", { x: { command: ["x"], languages: {}, colour: "red" } }, /colour/],
  ["a list", ["x"], /languageServers/],
])("%s is wrong usage that names the file", (_, value, words) => {
  const parse = (): unknown => parseConfiguredServers(value, "the file");
  expect(parse).toThrow(MillwrightError);
  expect(parse).toThrow(words);
  expect(parse).toThrow(/^the file/);
});
