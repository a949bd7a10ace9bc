import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyIgnored } from "./ignored-folders.ts";

test("a repository that is gone is not taken for a missing program", async () => {
  const target = mkdtempSync(join(tmpdir(), "millwright-ignored-"));
  const gone = join(target, "gone");
  await expect(copyIgnored(gone, ["build"], target)).rejects.toMatchObject({
    hint: expect.stringContaining(`Check that ${gone} still exists`),
  });
  rmSync(target, { recursive: true });
});
