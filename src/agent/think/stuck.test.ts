import { expect, test } from "vitest";
import { type SeenCall, watchProgress } from "./stuck.ts";

const call = (name: string, text = "nothing", isError = false): SeenCall => ({
  call: { name, input: { at: 1 } },
  text,
  isError,
});

test("the same call with the same reply is advised against, also in turn with another, and then hopeless", () => {
  const progress = watchProgress();
  const signs = [1, 2, 3, 4, 5].map(() => {
    progress.see([call("open")]);
    return progress.see([call("find")]);
  });
  expect(signs.slice(0, 2)).toEqual([undefined, undefined]);
  expect(signs[2]).toMatchObject({ hopeless: false, advice: expect.stringContaining("3 times") });
  expect(signs[4]).toMatchObject({ hopeless: true });
});

test("the same call is no sign while its replies change", () => {
  const progress = watchProgress();
  for (let time = 0; time < 9; time += 1)
    expect(progress.see([call("execute-tests", `${time} fail`)])).toBeUndefined();
});

test("errors in a row are one, whatever was called; a call that works ends the row", () => {
  const progress = watchProgress();
  const fail = (count: number) => progress.see([call(`tool-${count}`, `error ${count}`, true)]);
  for (let count = 1; count <= 3; count += 1) expect(fail(count)).toBeUndefined();
  progress.see([call("find", "found")]);
  for (let count = 4; count <= 6; count += 1) expect(fail(count)).toBeUndefined();
  expect(fail(7)).toMatchObject({ hopeless: false });
  for (let count = 8; count <= 10; count += 1) fail(count);
  expect(fail(11)).toMatchObject({ hopeless: true });
});

test("talk without a call is answered at once, and ends the third time", () => {
  const progress = watchProgress();
  expect([1, 2, 3].map(() => progress.see([])?.hopeless)).toEqual([false, false, true]);
});
