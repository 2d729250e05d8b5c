import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
  });
});
