import { expect, test } from "vitest";
import { isConnectionError, untilConnected } from "./connection-errors.ts";

const coded = (code: string): Error => Object.assign(new Error("it broke"), { code });

test.each(["ECONNREFUSED", "EHOSTUNREACH", "57P01", "57P03", "25P03", "40P01", "53300", "08006"])(
  "%s passes: the work is tried again",
  (code) => expect(isConnectionError(coded(code))).toBe(true),
);

test("a wrong statement or password stays wrong, and a lost answer is asked for again", () => {
  for (const code of ["42P01", "28P01", "23505"]) expect(isConnectionError(coded(code))).toBe(false);
  expect(isConnectionError(new Error("Query read timeout"))).toBe(true);
  expect(isConnectionError(new AggregateError([coded("42P01"), coded("ECONNREFUSED")]))).toBe(true);
});

test("work is repeated until it succeeds, or until it is stopped", async () => {
  let tries = 0;
  const work = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw coded("ECONNRESET");
    return "done";
  };
  const patienceMs = Number.POSITIVE_INFINITY;
  expect(await untilConnected(work, { patienceMs })).toBe("done");
  expect(tries).toBe(3);
  const waits: unknown[] = [];
  tries = 0;
  await untilConnected(work, { patienceMs, onWait: (error) => waits.push(error) });
  expect(waits).toEqual([coded("ECONNRESET"), coded("ECONNRESET")]);
  const failing = (): Promise<never> => Promise.reject(coded("ECONNRESET"));
  await expect(untilConnected(failing, { patienceMs, signal: AbortSignal.abort() })).rejects.toThrow(
    "it broke",
  );
  await expect(untilConnected(failing, { patienceMs: 0 })).rejects.toThrow("it broke");
});
