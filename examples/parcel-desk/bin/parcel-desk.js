#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { main } from "../src/cli.js";

process.exitCode = main(process.argv.slice(2), {
  read: (path) => readFileSync(path, "utf8"),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
