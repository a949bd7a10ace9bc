import { describe, expect, it } from "vitest";
import { readMentions } from "./read-mentions.ts";
import { readQuery } from "./read-query.ts";
import { partsOfStatement } from "./statement-parts.ts";

const issue = [
  "`exclusive` does not win over `required`",
  "- [x] I have searched the issues",
  "### Rust Version",
  "rustc 1.77.2",
  "### Steps to reproduce",
  "Run it:",
  "```",
  "thread 'main' panicked at 'nothing there', src/parser/validator.rs:84:13",
  "```",
  "### Expected Behaviour",
  "```rust",
  'let a = Arg::new("x").exclusive(true);',
  "```",
  "_No response_",
].join("\n");

describe("the parts of a statement", () => {
  it("tells title, prose, code, output and the reporter's machine apart", () => {
    const parts = partsOfStatement(issue).map(({ kind, text }) => `${kind}: ${text.trim()}`);
    expect(parts).toEqual([
      "title: exclusive  does not win over  required",
      "inline: exclusive",
      "inline: required",
      "background: rustc 1.77.2",
      "prose: Run it:",
      "output: thread 'main' panicked at 'nothing there', src/parser/validator.rs:84:13",
      'code: let a = Arg::new("x").exclusive(true);',
    ]);
  });

  it("puts lines that only say with what it was run into the background, and keeps sentences", () => {
    const kindOf = (line: string): string | undefined => partsOfStatement(`Title\n${line}`)[1]?.kind;
    for (const line of [
      "OS: Linux",
      "* Chart.js version: master",
      "__Node.js Version:__ v8.10.0",
      "- Python version: 3.8.3",
      "rustc 1.70.0 (90c541806 2023-05-31)",
      "numpy: 1.20.3",
      "h5py: None",
    ])
      expect(kindOf(line), line).toBe("background");
    for (const line of [
      "Python 3.12 support: `addDuration` is missing",
      "In version 4.1 it was right: the prefix came first",
      "The order is wrong: the version comes after the platform, and so the older one is taken for the newer",
      "result = None",
    ])
      expect(kindOf(line), line).toBe("prose");
  });

  it("leaves pictures and layout out", () => {
    const parts = partsOfStatement(
      "Title\n<details><summary>Log</summary> ![image](https://example.org/1.png) it ends",
    );
    expect(parts[1]?.text.replace(/ +/g, " ").trim()).toBe("Log it ends");
  });

  it("takes a fence that nobody closed, and a text without anything", () => {
    expect(partsOfStatement("a\n```\ncode()").at(-1)).toEqual({ kind: "code", text: "code()" });
    expect(partsOfStatement(" \n\t\n")).toEqual([]);
    expect(readQuery("").terms.size).toBe(0);
  });
});

describe("mentions", () => {
  const mentionsOf = (text: string) => readMentions(partsOfStatement(text));

  it("reads places out of stack traces of several languages", () => {
    const places = (text: string): string[] =>
      mentionsOf(`It fails\n\`\`\`\n${text}\n\`\`\``)
        .paths.filter(({ line }) => line !== undefined)
        .map(({ path, line }) => `${path}:${line}`);
    expect(
      places('Traceback (most recent call last):\n  File "lib/shop/cart.py", line 12, in pick'),
    ).toContain("lib/shop/cart.py:12");
    expect(places("    at Cart.pick (/home/me/app/lib/cart.js:3:14)")).toContain(
      "/home/me/app/lib/cart.js:3",
    );
    expect(places("  at ./src/output/usage.rs:48:9")).toContain("./src/output/usage.rs:48");
    expect(places("\tat org.shop.Cart.pick(Cart.java:7)")).toContain("Cart.java:7");
  });

  it("reads links to source lines and to reference pages", () => {
    const { paths, names } = mentionsOf(
      "It comes from here\nhttps://example.org/a/b/blob/master/src/bytes_mut.rs#L562-L564 and https://docs.rs/clap/4.5.4/clap/struct.Arg.html#method.exclusive",
    );
    expect(paths).toEqual([{ path: "src/bytes_mut.rs", line: 562, source: "link", weight: 2 }]);
    expect(names).toContainEqual(expect.objectContaining({ name: "exclusive", qualifier: "Arg" }));
  });

  it("weighs a name in the title above one in code, and keeps what stands before it", () => {
    const { names } = mentionsOf("pick_one is wrong\n```rust\nlet a = Cart::pick_two();\n```");
    const weightOf = (name: string): number =>
      Math.max(0, ...names.filter((one) => one.name === name).map(({ weight }) => weight));
    expect(weightOf("pick_one")).toBeGreaterThan(weightOf("pick_two"));
    expect(names).toContainEqual(expect.objectContaining({ name: "pick_two", qualifier: "Cart" }));
  });
});
