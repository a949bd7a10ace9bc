import { describe, expect, it } from "vitest";
import { connect, failureOf, question, scriptModel, serve, unwrap } from "../../tests/model-fixture.ts";
import { createBudget } from "./budget.ts";
import { type BudgetLimits, modelRoles } from "./contract.ts";
import { openModels } from "./open-models.ts";
import { freeOfCharge, type Price } from "./price.ts";

const price: Price = { input: 10, cached: 1, written: 12, output: 100 };
const call = { model: "m", price, inputTokens: 1000, outputTokens: 1000, final: false };
const used = { input: 1000, cached: 0, written: 0, output: 1000 };
const open = (limits: BudgetLimits, keepBack = 0, now = () => 0) => createBudget(limits, { keepBack, now });

describe("a budget", () => {
  it("holds the most that a call may cost, until what it did cost is known", async () => {
    const budget = open({ usd: 0.15 }); // a call: at most 1000 × 12 + 1000 × 100 = 0.112
    const first = unwrap(await budget.reserve(call));
    expect(failureOf(await budget.reserve(call)).kind).toBe("budget");
    await first.settle({ ...used, output: 10 }); // 0.011
    expect((await budget.reserve(call)).ok).toBe(true);
  });

  it("grants as many output tokens as it pays for, and none where an answer would be worth nothing", async () => {
    expect(unwrap(await open({ usd: 0.092 }).reserve(call)).outputTokens).toBe(800);
    expect(failureOf(await open({ usd: 0.03 }).reserve(call)).message).toMatch(
      /may exceed the limit of cost: 0.0300 US dollars/,
    );
    expect(unwrap(await open({ tokens: 1600 }).reserve(call)).outputTokens).toBe(600);
    expect(failureOf(await open({ tokens: 1100 }).reserve(call)).message).toContain("limit of tokens");
  });

  it("counts calls and time before a call, whatever it would cost", async () => {
    let now = 0;
    const budget = open({ calls: 2, ms: 1000 }, 0, () => now);
    expect((await budget.reserve(call)).ok && (await budget.reserve(call)).ok).toBe(true);
    expect(failureOf(await budget.reserve(call)).message).toContain("limit of model calls");
    now = 1000;
    expect(failureOf(await budget.reserve(call)).message).toContain("time limit");
  });

  it("says what is left of the limits that there are, of those above it too", async () => {
    const budget = open({ usd: 1 }, 0.1);
    const child = budget.child({ tokens: 5000 });
    expect(open({}).left()).toEqual({});
    expect(child.left()).toEqual({ usd: 0.9, tokens: 5000 });
    await unwrap(await child.reserve(call)).settle(used); // 0.01 + 0.1
    expect(child.left()).toEqual({ usd: expect.closeTo(0.79), tokens: 3000 });
    expect(budget.left()).toEqual({ usd: expect.closeTo(0.79) });
  });

  it("gives back what a call that failed did not use", async () => {
    const budget = open({ calls: 1 });
    await unwrap(await budget.reserve(call)).settle(undefined);
    expect((await budget.reserve(call)).ok).toBe(true);
  });

  it("keeps a part back for the final selection", async () => {
    const budget = open({ calls: 10, ms: 1000 }, 0.1, () => 950);
    expect(failureOf(await open({ calls: 10 }, 1).reserve(call)).kind).toBe("budget");
    expect((await open({ calls: 10 }, 1).reserve({ ...call, final: true })).ok).toBe(true);
    expect(budget.remainingMs(true) - budget.remainingMs(false)).toBe(100);
  });

  it("binds children by their own limits and their parents', and parents see what they spend", async () => {
    const parent = open({ calls: 3 });
    const child = parent.child({ calls: 2 });
    await unwrap(await child.reserve(call)).settle(used);
    await unwrap(await child.reserve(call)).settle(used);
    expect((await child.reserve(call)).ok).toBe(false);
    expect((await parent.reserve(call)).ok).toBe(true);
    expect((await parent.child({}).reserve(call)).ok).toBe(false);
  });

  it("refuses a limit of cost that it cannot hold: the price is not known", async () => {
    const unknown = { ...call, price: undefined };
    expect(failureOf(await open({ usd: 5 }).reserve(unknown)).message).toContain("the price of m is unknown");
    expect((await open({ tokens: 5000 }).reserve(unknown)).ok).toBe(true);
    expect((await open({ usd: 5 }).reserve({ ...call, price: freeOfCharge })).ok).toBe(true);
  });

  it("counts what an earlier process of the run paid", async () => {
    const budget = open({ calls: 1 });
    budget.charge(used, price);
    expect((await budget.reserve(call)).ok).toBe(false);
  });
});

describe("a client under a budget", () => {
  it("is refused before the call is made, also in clients within it", async () => {
    const server = await serve([{ text: "Well." }]);
    const client = await connect(server, { limits: { calls: 2 }, keepBack: 0 });
    const child = client.within({ tokens: 100_000 });
    expect((await child.generate(question)).ok).toBe(true);
    expect((await client.generate(question)).ok).toBe(true);
    expect(failureOf(await child.generate(question)).kind).toBe("budget");
    expect(server.requests).toHaveLength(2);
    expect([child.spent().calls, client.spent().calls]).toEqual([1, 2]);
  });

  it("asks for no more output than the model's context has room for", async () => {
    const server = await serve([{ text: "Well." }]);
    const name = "openai-compatible/test";
    const client = await connect(server, { prices: { [name]: { ...price, context: 8192 } } });
    expect(client.modelOf("editing")).toEqual({ name, contextTokens: 8192, priced: true });
    await client.generate({ ...question, messages: [{ role: "user", text: "x".repeat(9000) }] });
    expect(server.requests[0]?.body["max_tokens"]).toBeLessThan(8192 - 3000);
    expect(server.requests[0]?.body["max_tokens"]).toBeGreaterThan(4000);
  });

  it("does not call a model without a price under a limit of cost, and does with a configured one", async () => {
    const server = await serve([{ text: "Well." }]);
    const limits = { usd: 1 };
    expect(failureOf(await (await connect(server, { limits })).generate(question)).kind).toBe("budget");
    const prices = { "openai-compatible/test": { input: 1, cached: 1, written: 1, output: 4 } };
    const client = await connect(server, { limits, prices });
    expect((await client.generate(question)).ok).toBe(true);
    expect(client.spent().usd).toBeCloseTo(140e-6, 9);
    expect(server.requests).toHaveLength(1);
  });

  it("ends a call at the limit of time", async () => {
    const server = await serve([{ hang: "after text" }]);
    const client = await connect(server, { limits: { ms: 300 } });
    expect(failureOf(await client.generate(question))).toMatchObject({ kind: "budget" });
  });

  it("counts by role, each with the model that is named for it", async () => {
    const cheap = await scriptModel([
      { text: "cheap", usage: { input: 10, output: 1, usd: 0.5 }, times: "always" },
    ]);
    const strong = await scriptModel([
      { text: "strong", usage: { input: 20, output: 2, usd: 2 }, times: "always" },
    ]);
    const client = await openModels({ model: strong, roles: { retrieval: cheap }, environment: {} });
    for (const role of modelRoles)
      expect(client.modelOf(role).name).toBe(role === "retrieval" ? cheap : strong);
    const answer = unwrap(await client.generate({ ...question, role: "retrieval" }));
    expect(answer.text).toBe("cheap");
    await client.generate(question);
    expect(client.spent()).toMatchObject({
      usd: 2.5,
      byRole: { retrieval: { calls: 1, usd: 0.5 }, editing: { calls: 1, usd: 2 } },
    });
  });
});
