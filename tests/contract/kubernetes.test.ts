/** The manifests in deploy/ against the schemas of Kubernetes, and against a worker's own flags. No cluster is asked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validate as deployment } from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment";
import { validate as claim } from "kubernetes-models/_schemas/IoK8sApiCoreV1PersistentVolumeClaim";
import { validate as account } from "kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount";
import { validate as policy } from "kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const schemas = {
  Deployment: deployment,
  NetworkPolicy: policy,
  PersistentVolumeClaim: claim,
  ServiceAccount: account,
};
const kinds = ["Deployment", "NetworkPolicy", "PersistentVolumeClaim", "ServiceAccount"] as const;
const manifestSchema = z.looseObject({ kind: z.enum(kinds), apiVersion: z.string() });
type Manifest = z.infer<typeof manifestSchema>;

const read = (...path: string[]): string =>
  readFileSync(join(import.meta.dirname, "..", "..", ...path), "utf8");
const documents = parseAllDocuments(read("deploy", "kubernetes", "workers.yaml"), { strict: true });
/** Their texts have the flags; to load them would load the whole program. */
const commandText = [["commands", "worker.ts"], ["bench-flags.ts"]]
  .map((path) => read("src", "cli", ...path))
  .join("\n");
const manifests = documents.map((document) => manifestSchema.parse(document.toJS()));

const errorsSchema = z.array(z.object({ instancePath: z.string(), params: z.unknown() }));

/** What is wrong: values, and fields that the schema never reads, because it does not know them. */
function check(manifest: Manifest): string[] {
  const validate = schemas[manifest.kind];
  const unread = new Set<string>();
  const isValid = validate(watch(manifest, "", unread));
  const errors = isValid ? [] : errorsSchema.parse(Reflect.get(validate, "errors"));
  const wrong = errors.map(({ instancePath, params }) => `${instancePath}: ${JSON.stringify(params)}`);
  return [...wrong, ...[...unread].map((path) => `${path} is unknown`)];
}

/** `unread` has the path of each field until it is read. */
function watch(value: unknown, path: string, unread: Set<string>): unknown {
  if (value === null || typeof value !== "object") return value;
  const fields = new Map(
    Object.entries(value).map(([key, field]) => [key, watch(field, `${path}/${key}`, unread)]),
  );
  for (const key of fields.keys()) unread.add(`${path}/${key}`);
  return new Proxy(value, {
    get(target, key, receiver) {
      unread.delete(`${path}/${String(key)}`);
      return fields.get(String(key)) ?? Reflect.get(target, key, receiver);
    },
  });
}

const podSchema = z.object({
  ...{ hostUsers: z.boolean(), automountServiceAccountToken: z.boolean() },
  securityContext: z.object({ runAsNonRoot: z.boolean() }),
  containers: z.array(
    z.object({
      ...{ command: z.array(z.string()), args: z.array(z.string()) },
      securityContext: z.looseObject({
        ...{ allowPrivilegeEscalation: z.boolean(), capabilities: z.object({ drop: z.array(z.string()) }) },
      }),
      volumeMounts: z.array(z.object({ name: z.string() })),
    }),
  ),
  volumes: z.array(z.object({ name: z.string() })),
});

function findPod(): z.infer<typeof podSchema> {
  const found = manifests.find(({ kind }) => kind === "Deployment");
  return z.object({ spec: z.object({ template: z.object({ spec: podSchema }) }) }).parse(found).spec.template
    .spec;
}

test("each manifest fits the schema of its kind, and has no field that there is not", () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([...kinds]);
  for (const manifest of manifests) expect(check(manifest), manifest.kind).toEqual([]);
});

test("the check finds a wrong value and an unknown field, so that it can fail", () => {
  const change = (from: string, to: string): Manifest => {
    const text = JSON.stringify(manifests.find(({ kind }) => kind === "Deployment"));
    expect(text).toContain(from);
    return manifestSchema.parse(JSON.parse(text.replace(from, to)));
  };
  expect(check(change('"replicas":2', '"replicas":"two"'))).toEqual(['/spec/replicas: {"type":"integer"}']);
  expect(check(change('"hostUsers"', '"hostUser"'))).toEqual(["/spec/template/spec/hostUser is unknown"]);
});

test("a worker's pod has no rights, and its volumes and flags exist", () => {
  const { containers, volumes, ...pod } = findPod();
  expect(pod).toEqual({
    ...{ hostUsers: false, automountServiceAccountToken: false },
    securityContext: { runAsNonRoot: true },
  });
  const [worker] = containers;
  expect(containers).toHaveLength(1);
  expect(worker?.securityContext).toMatchObject({
    ...{ allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  });
  expect(worker?.securityContext).not.toHaveProperty("privileged");
  expect(worker?.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));

  expect(worker?.command).toEqual(["millwright"]);
  expect(worker?.args[0]).toBe("worker");
  const flags = worker?.args.filter((each) => each.startsWith("--")) ?? [];
  for (const flag of flags) expect(commandText).toContain(`"${flag} <`);
});
