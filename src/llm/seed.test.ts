import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { withSeed } from "./open-models.ts";
import type { Transport, TransportCall } from "./provider.ts";

/** The seeds of calls to a transport with the seed 7. */
async function seedsOf(remote: boolean, settings: readonly object[]): Promise<unknown[]> {
  const seeds: unknown[] = [];
  const transport = partOf<Transport>({
    remote,
    generate: async ({ request }) => {
      seeds.push(request.settings.seed);
      return { ok: false, kind: "server", message: "" } as never;
    },
  });
  for (const each of settings)
    await withSeed(transport, 7).generate(
      partOf<TransportCall>({ request: partOf({ settings: each as never }) }),
    );
  return seeds;
}

test("each sample of a request has its own seed, and a seed of the request itself counts", async () => {
  expect(await seedsOf(true, [{ sample: 0 }, { sample: 2 }, { seed: 1 }])).toEqual([7, 9, 1]);
});

test("a recording gets the request as it was recorded", async () => {
  expect(await seedsOf(false, [{ sample: 0 }])).toEqual([undefined]);
});
