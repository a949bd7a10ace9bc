/** `millwright trace --workspace`: a program in a second project runs over the traced target, and functions of both are recorded. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";

interface Case {
  readonly language: string;
  /** The program without which it cannot run. */
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  /** Links by their paths, to the target. */
  readonly links?: readonly string[];
  /** Of the target, then of the second project. */
  readonly specs: readonly [string, string];
  readonly command: readonly string[];
  /** Of the failing call, in the target. */
  readonly line: number;
}

const cases: readonly Case[] = [
  {
    language: "Python",
    needs: "python3",
    files: {
      "target/pyproject.toml": "[project]\nname = 'shapes'\nversion = '1'\n",
      "target/src/shapes.py":
        "def area(side):\n    return check(side) ** 2\n\ndef check(side):\n    return int(side)\n",
      "shown/main.py":
        "import shapes\n\ndef run(side):\n    return shapes.area(side)\n\nrun('3')\nrun('x')\n",
    },
    specs: ["src/shapes.py:*", "main.py:run"],
    command: ["python3", "main.py"],
    line: 5,
  },
  {
    language: "JavaScript",
    needs: "node",
    files: {
      "target/package.json": '{"name":"shapes","version":"1.0.0","main":"shapes.js"}',
      "target/shapes.js":
        "exports.area = function area(side) {\n  return check(side) ** 2;\n};\nfunction check(side) {\n  if (side === 'x') throw new Error('no side');\n  return Number(side);\n}\n",
      "shown/package.json": '{"name":"shown","private":true,"dependencies":{"shapes":"file:../target"}}',
      "shown/main.mjs":
        "import { area } from 'shapes';\nfunction run(side) {\n  return area(side);\n}\nrun('3');\nrun('x');\n",
    },
    links: ["shown/node_modules/shapes"],
    specs: ["shapes.js:*", "main.mjs:run"],
    command: ["node", "main.mjs"],
    line: 5,
  },
  {
    language: "Go",
    needs: "go",
    files: {
      "target/go.mod": "module example.org/shapes\n\ngo 1.16\n",
      "target/shapes.go":
        'package shapes\n\nfunc Area(side string) int { return check(side) }\n\nfunc check(side string) int {\n\tif side == "x" { panic("no side") }\n\treturn len(side)\n}\n',
      "shown/go.mod":
        "module example.org/shown\n\ngo 1.16\n\nrequire example.org/shapes v0.0.0\n\nreplace example.org/shapes => ../target\n",
      "shown/main.go":
        'package main\n\nimport "example.org/shapes"\n\nfunc run(side string) int { return shapes.Area(side) }\n\nfunc main() {\n\trun("3")\n\trun("x")\n}\n',
    },
    specs: ["shapes.go:*", "main.go:run"],
    command: ["go", "run", "."],
    line: 6,
  },
  {
    language: "Java",
    needs: "javac",
    files: {
      "target/src/shapes/Shapes.java":
        "package shapes;\n\npublic class Shapes {\n  public static int area(String side) { return check(side); }\n  static int check(String side) {\n    return Integer.parseInt(side);\n  }\n}\n",
      "shown/Main.java":
        'public class Main {\n  static int run(String side) { return shapes.Shapes.area(side); }\n  public static void main(String[] words) {\n    run("3");\n    run("x");\n  }\n}\n',
    },
    specs: ["src/shapes/Shapes.java:*", "Main.java:run"],
    command: ["sh", "-c", "javac -d out ../target/src/shapes/Shapes.java Main.java && java -cp out Main"],
    line: 6,
  },
];

const isThere = (program: string): boolean => spawnSync("which", [program]).status === 0;

interface Call {
  readonly function: { readonly name: string; readonly path: string };
  readonly how: string;
  readonly place?: string;
  readonly children: readonly Call[];
}

for (const each of cases)
  describe.skipIf(!isThere(each.needs))(`a program in ${each.language} (needs ${each.needs})`, () => {
    let playground: Playground;
    beforeAll(() => {
      playground = createPlayground();
      for (const [path, text] of Object.entries(each.files)) {
        mkdirSync(dirname(join(playground.folder, path)), { recursive: true });
        writeFileSync(join(playground.folder, path), text);
      }
      for (const path of each.links ?? []) {
        mkdirSync(dirname(join(playground.folder, path)), { recursive: true });
        symlinkSync(join(playground.folder, "target"), join(playground.folder, path));
      }
    });
    afterAll(() => playground.remove());

    test("is one tree of calls with the target's, and tells which project each function is of", async () => {
      const [target, shown] = ["target", "shown"].map((name) => join(playground.folder, name));
      if (target === undefined || shown === undefined) throw new Error("no folders");
      const before = [target, shown].map(fingerprint);
      const env = { XDG_CACHE_HOME: join(playground.folder, "cache") };
      const words = ["--target", target, "--workspace", shown, "--json", "--output", "trace.jsonl"];
      const asked = each.specs.flatMap((spec) => ["--instrument", spec]);
      const end = await playground.start(["trace", ...words, ...asked, "--", ...each.command], {
        env,
        cwd: playground.folder,
      }).ended;
      expect(end.exitCode, end.stderr + end.stdout).toBe(0);
      const { processes } = JSON.parse(end.stdout) as { processes: { roots: Call[] }[] };
      const roots = processes.flatMap((one) => one.roots);
      const chains = roots.map((root) => [
        root,
        ...root.children,
        ...root.children.flatMap((one) => one.children),
      ]);
      const own = each.files;
      const source = Object.keys(own)
        .find((path) => /^target\/.*shapes\.(?!mod)\w+$/i.test(path))
        ?.slice("target/".length);
      const main = join(shown, each.specs[1].split(":")[0] ?? "");
      const names = chains.map((chain) =>
        chain.map(({ function: { name, path } }) => `${name.split(".").at(-1)?.toLowerCase()} ${path}`),
      );
      const expected = [`run ${main}`, `area ${source}`, `check ${source}`];
      expect(names).toEqual([expected, expected]);
      const failed = chains[1]?.at(-1);
      expect(failed?.how).toBe("throw");
      expect(failed?.place).toBe(`${source}:${each.line}`);
      expect([target, shown].map(fingerprint)).toEqual(before);
      const again = await playground.start(["trace", "show", "trace.jsonl"], { env, cwd: playground.folder })
        .ended;
      expect(again.stdout, again.stderr).toMatch(
        new RegExp(`Path to the failure:\\n\\s+(?:Main\\.)?run\\(.*\\[${main}:\\d+`),
      );
    }, 120_000);
  });
