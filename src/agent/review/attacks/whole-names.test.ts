import { expect, test } from "vitest";
import { spellOut } from "./whole-names.ts";

function read(language: string, text: string): string[] {
  const lines = text.split("\n").map((code) => ({
    code: code.replaceAll(/"[^"]*"/g, (own) => " ".repeat(own.length)),
    strings: [...code.matchAll(/"([^"]*)"/g)].map(([, own = ""]) => own),
    folded: [],
  }));
  return spellOut(language, lines).map(({ code }) => code.trim());
}

test.each([
  ["python", "from sys import modules as loaded\nx = len(loaded)", "x = len(sys.modules)"],
  ["python", "from os import (path, environ as own)\nx = own", "x = os.environ"],
  ["python", "import sys as s, re\nx = s.argv", "x = sys.argv"],
  ["python", "import sys\ns = sys\nx = s.argv", "x = sys.argv"],
  ["python", 'import sys\nx = getattr(sys, "modules")', "x = getattr(sys,          ) ;sys.modules"],
  ["python", 'import sys\nx = vars(sys)["argv"]', "x = vars(sys)[      ] ;sys.argv"],
  ["python", "from shop import modules\nx = modules", "x = modules"],
  ["python", "from time import time\nx = self.time(time())", "x = self.time(time.time())"],
  ["javascript", "const { env: own } = process;\nx = own.USER;", "x = process.env.USER;"],
  ["javascript", "const p = process;\nx = p.argv;", "x = process.argv;"],
  ["typescript", 'import { argv as given } from "node:process";\nx = given[1];', "x = process.argv[1];"],
  ["javascript", 'const { cpus } = require("os");\nx = cpus().length;', "x = os.cpus().length;"],
  ["javascript", 'import * as system from "node:os";\nx = system.cpus();', "x = os.cpus();"],
  ["javascript", 'x = process["argv"][1];', "x = process[      ][1]; ;process.argv"],
  ["javascript", 'const { env } = options;\nx = env["a"];', "x = env[   ];"],
  ["go", 'import r "runtime"\nr.Caller(1)', "runtime.Caller(1)"],
  ["go", 'import yaml "gopkg.in/yaml.v3"\nyaml.Unmarshal()', "yaml.Unmarshal()"],
  ["rust", "use std::time::Instant as Moment;\nMoment::now();", "std::time::Instant::now();"],
  ["rust", "use std::thread::{current as me, spawn};\nme();", "std::thread::current();"],
  ["java", "import static java.lang.System.nanoTime;\nx = nanoTime();", "x = System.nanoTime();"],
])("%s: %s", (language, text, expected) => {
  expect(read(language, text).at(-1)).toBe(expected);
});
