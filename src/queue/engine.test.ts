import { expect, test } from "vitest";
import { asError } from "./engine.ts";

test("an error that the engine reports as a plain object keeps its message and code", () => {
  const error = asError({ code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:5432", queue: "q" });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:5432" });
  const known = new Error("it broke");
  expect([asError(known), asError("it broke")]).toEqual([known, "it broke"]);
});
