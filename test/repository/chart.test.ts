import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../apps/server/src/config/load.ts";

const CHART = join(import.meta.dirname, "../../deploy/helm");
const helm = (...words: string[]) =>
  spawnSync("helm", ["template", "gw", CHART, ...words], { encoding: "utf8" });
const missing = spawnSync("helm", ["version"]).error !== undefined;

describe.skipIf(missing)(`the chart${missing ? " (there is no helm on the PATH)" : ""}`, () => {
  it("makes a deployment that reads its configuration and each of its secrets from files", () => {
    const { stdout, status } = helm("--set", "existingSecret=mine");
    expect(status).toBe(0);
    const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort();
    expect(kinds).toEqual(["ConfigMap", "Deployment", "PodDisruptionBudget", "Service"]);
    const [, text = ""] = /^ {2}manifold\.json: (".*")$/m.exec(stdout) ?? [];
    const given = [...stdout.matchAll(/name: ([A-Z_]+)_FILE, value: \/run\/secrets\/manifold\/\1 /g)];
    const env: Record<string, string> = Object.fromEntries(given.map(([, name]) => [name, "a".repeat(64)]));
    env.DATABASE_URL = "postgres://user:password@host:5432/database";
    expect(parseConfig(JSON.parse(JSON.parse(text)), env).store).toBe(env.DATABASE_URL);
    for (const part of [
      "readOnlyRootFilesystem: true",
      "runAsNonRoot: true",
      "path: /ready",
      "path: /health",
    ])
      expect(stdout).toContain(part);
  });

  it("makes a secret of values that are given, and names the one that is missing", () => {
    const { stderr } = helm("--set", "secrets.ADMIN_KEY=a");
    expect(stderr).toContain("secrets.SEAL is needed, or existingSecret");
    const values = ["ADMIN_KEY", "SEAL", "DATABASE_URL", "OPENAI_API_KEY"].map((name) => `secrets.${name}=x`);
    expect(helm("--set", values.join(",")).stdout).toContain("kind: Secret");
    // A changed value replaces the pods, which read it at their start.
    const sums = ["x", "y"].map(
      (last) =>
        /checksum\/secrets: \w+/.exec(helm("--set", `${values.join(",")},secrets.SEAL=${last}`).stdout)?.[0],
    );
    expect(new Set(sums).size).toBe(2);
    expect(helm("--set", "existingSecret=mine").stdout).not.toContain("checksum/secrets");
  });

  it("drops what is null from its configuration", () => {
    const nulls = ["config.providers.openai=null", "config.models.gpt-5-mini=null"];
    const { stdout } = helm("--set", `existingSecret=mine,${nulls.join(",")}`);
    expect(stdout).not.toMatch(/gpt-5-mini|\$\{OPENAI_API_KEY\}/);
  });

  it("spreads the gateways over nodes, and has an address and more settings of pods where they are given", () => {
    const plain = helm("--set", "existingSecret=mine").stdout;
    expect(plain).toContain("topologyKey: kubernetes.io/hostname");
    expect(plain).not.toMatch(/Ingress|affinity:|imagePullSecrets:|envFrom:/);
    const values = {
      existingSecret: "mine",
      imagePullSecrets: [{ name: "registry" }],
      env: [{ name: "AWS_REGION", value: "eu-central-1" }],
      envFrom: [{ secretRef: { name: "bucket" } }],
      volumes: [{ name: "certificate", secret: { secretName: "postgres" } }],
      volumeMounts: [{ name: "certificate", mountPath: "/etc/postgres" }],
      affinity: { nodeAffinity: {} },
      nodeSelector: { pool: "gateways" },
      tolerations: [{ key: "gateways", operator: "Exists" }],
      ingress: { enabled: true, host: "ai.example.com", tlsSecret: "tls", className: "nginx" },
    };
    const sets = Object.entries(values).flatMap(([name, value]) => [
      "--set-json",
      `${name}=${JSON.stringify(value)}`,
    ]);
    const { stdout, stderr } = helm(...sets);
    expect(stderr).toBe("");
    const made = stdout.split(/^---$/m).flatMap((text) => parse(text) ?? []);
    const { spec } = made.find(({ kind }) => kind === "Deployment").spec.template;
    expect(spec).toMatchObject({
      imagePullSecrets: values.imagePullSecrets,
      affinity: values.affinity,
      nodeSelector: values.nodeSelector,
      tolerations: values.tolerations,
      volumes: expect.arrayContaining(values.volumes),
      containers: [
        {
          env: expect.arrayContaining(values.env),
          envFrom: values.envFrom,
          volumeMounts: expect.arrayContaining(values.volumeMounts),
        },
      ],
    });
    expect(made.find(({ kind }) => kind === "Ingress").spec).toMatchObject({
      ingressClassName: "nginx",
      tls: [{ hosts: ["ai.example.com"], secretName: "tls" }],
      rules: [{ host: "ai.example.com" }],
    });
  });
});
