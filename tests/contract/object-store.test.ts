import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { getContent, type ObjectStore, putContent } from "../../src/bench/object-store.ts";
import { openObjectStore } from "../../src/bench/open-object-store.ts";
import { readBucket } from "../../src/bench/s3-store.ts";
import { keepObjects } from "../../src/session/patient-store.ts";
import { type S3Server, s3Problem, startS3 } from "../s3-server.ts";

const folder = mkdtempSync(join(tmpdir(), "millwright-store-"));
const servers: Server[] = [];
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
});

function useServer(url: string): void {
  vi.stubEnv("AWS_ENDPOINT_URL", url);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "tests");
  vi.stubEnv("AWS_MAX_ATTEMPTS", "3");
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port was expected");
  return `http://127.0.0.1:${address.port}`;
}

async function keepsPromises(store: ObjectStore): Promise<void> {
  expect(await store.get("results/one.json")).toBeUndefined();
  expect(await store.putOnce("results/one.json", Buffer.from("first"))).toBe(true);
  expect(await store.putOnce("results/one.json", Buffer.from("second"))).toBe(false);
  expect(String(await store.get("results/one.json"))).toBe("first");

  const large = Buffer.alloc(6_000_000, "line of a log\n");
  const hash = await putContent(store, large);
  expect(await putContent(store, large)).toBe(hash);
  expect((await getContent(store, hash))?.equals(large)).toBe(true);
  expect(await getContent(store, "0".repeat(64))).toBeUndefined();
  await store.putOnce(`objects/${"1".repeat(64)}`, Buffer.from("damaged"));
  expect(await getContent(store, "1".repeat(64))).toBeUndefined();
}

test("a folder keeps the first content of each path, and one of many writers is first", async () => {
  const store = await openObjectStore(join(folder, "store"));
  await keepsPromises(store);
  const writers = Array.from({ length: 20 }, (_, at) => store.putOnce("race", Buffer.from(`writer ${at}`)));
  expect((await Promise.all(writers)).filter(Boolean)).toHaveLength(1);
});

describe.skipIf(s3Problem !== undefined)(`a bucket (${s3Problem ?? "moto"})`, () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3("batches");
  });
  afterAll(() => server.close());

  test("keeps the first content of each path, for all that open it", async () => {
    useServer(server.url);
    const store = await openObjectStore("s3://batches/team/first/");
    expect(store.name).toBe("s3://batches/team/first");
    await keepsPromises(store);
    const again = await openObjectStore("s3://batches/team/first");
    expect(String(await again.get("results/one.json"))).toBe("first");
    const other = await openObjectStore("s3://batches/team/second");
    expect(await other.get("results/one.json")).toBeUndefined();
    expect([again.id, other.id]).toEqual([store.id, expect.not.stringContaining(store.id)]);
    const refused = openObjectStore("s3://batches/team/second", store.id);
    await expect(refused).rejects.toMatchObject({
      message: "s3://batches/team/second on this machine is not the store of the batch",
      hint: expect.stringContaining("AWS_ENDPOINT_URL"),
    });
  });

  test("a write whose answer is lost counts as written", async () => {
    let lost = 0;
    const url = await serve(async (request, response) => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk);
      const { host: _, connection: __, ...headers } = request.headers;
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(request.method === "PUT" ? { body: Buffer.concat(body) } : {}),
      });
      if (request.method === "PUT" && request.url?.includes("precious") === true && lost === 0) {
        lost += 1;
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status, { "content-type": "application/xml" });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    useServer(url);
    const store = await openObjectStore("s3://batches/lost");
    expect(await store.putOnce("precious", Buffer.from("result"))).toBe(true);
    expect(lost).toBe(1);
    expect(await store.putOnce("precious", Buffer.from("other"))).toBe(false);
  });

  test("says that a bucket does not exist", async () => {
    useServer(server.url);
    const failed = openObjectStore("s3://nowhere");
    await expect(failed).rejects.toThrow(
      "The store s3://nowhere cannot be used: The specified bucket does not exist",
    );
  });
});

test("a server that would replace results is refused", async () => {
  useServer(await serve((request, response) => void request.resume().on("end", () => response.end())));
  await expect(openObjectStore("s3://batches/x")).rejects.toThrow("ignores If-None-Match");
});

test("a folder that only has the store's name is refused by its id, and stays as it was", async () => {
  const place = join(folder, "mounted");
  const { id } = await openObjectStore(place);
  expect((await openObjectStore(place)).id).toBe(id);
  expect((await openObjectStore(place, id)).id).toBe(id);
  renameSync(place, join(folder, "unmounted"));
  await expect(openObjectStore(place, id)).rejects.toMatchObject({
    message: `${place} on this machine is not the store of the batch`,
    hint: "Mount the folder that `bench run` uses, under the same path.",
  });
  expect(existsSync(place)).toBe(false);
  const another = await openObjectStore(place);
  expect(another.id).not.toBe(id);
  await expect(openObjectStore(place, id)).rejects.toThrow("is not the store of the batch");
});

test.each([
  [507, "XMinioStorageFull"],
  [403, "QuotaExceeded"],
])("a full bucket (%i %s) is waited for", async (status, code) => {
  const written: string[] = [];
  let refused = 0;
  useServer(
    await serve((request, response) =>
      request.resume().on("end", () => {
        const path = request.url?.split("?")[0] ?? "";
        if (request.method === "GET") return response.end("0".repeat(36));
        const refuse = (refusal: number, name: string) => {
          response.writeHead(refusal, { "content-type": "application/xml" });
          response.end(`<Error><Code>${name}</Code><Message>No</Message></Error>`);
        };
        if (written.includes(path)) return refuse(412, "PreconditionFailed");
        if (path.endsWith("precious") && refused < 2) {
          refused += 1;
          return refuse(status, code);
        }
        written.push(path);
        return response.end();
      }),
    ),
  );
  const notices: string[] = [];
  const { signal } = new AbortController();
  const bucket = await openObjectStore("s3://batches/full");
  const store = keepObjects(bucket, { signal, onNotice: (text) => notices.push(text), everyMs: 1 });
  expect(await store.putOnce("precious", Buffer.from("result"))).toBe(true);
  expect(notices).toEqual(["a finished result waits, because the store s3://batches/full is full"]);
});

test("a server that cannot be reached is named, with what to set", async () => {
  useServer("http://127.0.0.1:9");
  await expect(openObjectStore("s3://batches")).rejects.toMatchObject({
    message: expect.stringMatching(/^The store s3:\/\/batches cannot be used: .*ECONNREFUSED/),
    hint: expect.stringContaining("AWS_ACCESS_KEY_ID"),
  });
});

test("an address of a bucket is parsed strictly; anything else is a folder", () => {
  expect(readBucket("s3://a-bucket")).toEqual({ name: "a-bucket", prefix: "" });
  expect(readBucket("s3://a-bucket//team/one/")).toEqual({ name: "a-bucket", prefix: "team/one/" });
  expect(readBucket("/shared/s3:/store")).toBeUndefined();
  for (const place of ["s3://", "s3:bucket", "s3://A_B", "s3:///x"])
    expect(() => readBucket(place)).toThrow("names no bucket");
});
