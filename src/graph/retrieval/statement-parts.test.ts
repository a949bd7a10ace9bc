import { expect, test } from "vitest";
import { withoutOutputs } from "./statement-parts.ts";

test("the reporter's own words and code stay, without outputs and the machine's description", () => {
  const statement =
    "Panics on bad text\n\n```rust\nlet a = parse();\n```\n\nI see:\n\n```\nthread 'main' panicked at 'no', src/a.rs:1:1\n  6: command::run\n```\n\n### Environment\n\nrustc 1.70.0\n";
  const own = withoutOutputs(statement);
  expect(own).toMatch(/Panics on bad text[\s\S]*let a = parse\(\);[\s\S]*I see:/);
  expect(own).not.toMatch(/panicked|command|1\.70/);
});
