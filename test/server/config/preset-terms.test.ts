import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activePresets } from "@manifold-gateway/providers";
import { explainTraits, mergedTraits, traitsOf } from "@manifold-gateway/providers/routing";
import { afterAll, describe, expect, it } from "vitest";
import { toProviders } from "../../../apps/server/src/config/build.ts";
import { loadWithSource, parseConfig } from "../../../apps/server/src/config/load.ts";
import { variablesOfProviders } from "../../../apps/server/src/config/origins.ts";
import type { Entry } from "../../../packages/gateway/src/ports/catalog.ts";

const folder = mkdtempSync(join(tmpdir(), "preset-terms-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const of = (p: object, env: Record<string, string> = {}) =>
  toProviders(parseConfig({ providers: { p } }, env)).get("p");
const problem = (p: object, env: Record<string, string> = {}): string => {
  try {
    of(p, env);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};
const signed = { kind: "aws", region: "eu-west-1", accessKeyId: "a", secretAccessKey: "s" };

describe("the address of a preset", () => {
  it("has the parts of the file, or else those of the vendor's variables", () => {
    const bedrock = { preset: "amazon-bedrock", key: "k" };
    const env = { AWS_DEFAULT_REGION: "us-east-2" };
    expect(of({ ...bedrock, parts: { region: "eu-west-1" } }, env)?.origin).toContain(".eu-west-1.");
    expect(of(bedrock, env)?.origin).toContain(".us-east-2.");
    expect(of({ preset: "amazon-bedrock", auth: signed }, env)?.origin).toContain(".eu-west-1.");
  });

  it("has the host of a variable that holds an address", () => {
    const env = { AZURE_OPENAI_ENDPOINT: "https://acme.openai.azure.com/openai/", AZURE_OPENAI_API_KEY: "k" };
    const { origin, speaks } = of({ preset: "azure" }, env) ?? {};
    expect(origin).toBe("https://acme.openai.azure.com");
    expect(speaks?.responses?.base).toBe("/openai/v1");
  });

  it("is another one in a region of its own", () => {
    const vertex = { preset: "google-vertex", parts: { project: "p" } };
    expect(of(vertex)?.origin).toBe("https://aiplatform.googleapis.com");
    expect(of(vertex)?.speaks.genstyle?.base).toBe("/v1/projects/p/locations/global/publishers/google");
    const local = of({ ...vertex, parts: { project: "p", region: "europe-west4" } });
    expect(local?.origin).toBe("https://europe-west4-aiplatform.googleapis.com");
  });

  it.each([
    [
      { preset: "amazon-bedrock" },
      "p.parts.region: is needed for its address: set 'region' or the variable AWS_REGION",
    ],
    [{ preset: "groq", parts: { region: "eu" } }, "p.parts.region: is no part of its address; it has none"],
    [
      { preset: "moonshotai", parts: { region: "us" } },
      "p.parts.region: 'us' is no region of it; known are cn",
    ],
    [{ preset: "azure", parts: { host: "a.b/c" } }, "p.parts.host: 'a.b/c' cannot be the host of an address"],
    [{ preset: "azure", parts: { host: "a@b" } }, "p.parts.host: 'a@b' cannot be the host of an address"],
    [
      { preset: "azure", origin: "https://a.example", parts: { host: "b" } },
      "p.parts: is not used beside 'origin'; remove it",
    ],
    [
      { protocol: "chatstyle", origin: "https://a.example", parts: { host: "b" } },
      "p.parts: belongs to a preset, and there is none",
    ],
    [{ preset: "azure", parts: { hots: "b" } }, "p.parts.hots"],
    [{ preset: "groq", basePaths: { chatstyle: "https://other.example/v1" } }, "must be a path"],
    [{ preset: "groq", listing: "//other.example/models" }, "listing"],
  ])("of %o is an error that names the part", (declared, message) => {
    expect(problem(declared)).toContain(message);
  });
});

describe("a provider that is declared without a preset", () => {
  const at = (origin: string, more: object = {}) =>
    of({ protocol: ["chatstyle", "msgstyle"], origin, key: "k", ...more });

  it("has the traits of the preset at its address", () => {
    expect(at("https://api.mistral.ai/v1")?.speaks.chatstyle?.serverTraits).toMatchObject({
      streamUsage: false,
    });
    expect(at("https://api.mistral.ai")?.speaks.chatstyle?.serverTraits).toMatchObject({
      streamUsage: false,
    });
    expect(at("https://api.moonshot.cn/v1")?.speaks.chatstyle?.serverTraits?.refuses).toContain("store");
    expect(
      at("https://acme.snowflakecomputing.com/api/v2/cortex/v1")?.speaks.chatstyle?.serverTraits,
    ).toMatchObject({
      maxTokensField: "max_completion_tokens",
    });
  });

  it("has those of the longest path that is a part of its own", () => {
    expect(at("https://api.perplexity.ai")?.speaks.chatstyle?.serverTraits?.refuses).toContain("stop");
    expect(at("https://api.perplexity.ai/orchestrator/v1")?.speaks.chatstyle?.serverTraits).toBeUndefined();
  });

  it.each([
    "https://api.mistral.ai.example.com/v1",
    "https://example.com/api.mistral.ai",
    "http://api.mistral.internal/v1",
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:4000/v1",
  ])("has none at %s", (origin) => {
    expect(at(origin)?.speaks.chatstyle).not.toHaveProperty("serverTraits");
  });

  it("keeps those that the file does not set, and so does a preset", () => {
    const own = { traits: { strict: true } };
    const entry: Entry = { provider: "p", name: "m", priority: 1, isActive: true };
    for (const provider of [
      at("https://api.deepseek.com", own),
      of({ preset: "deepseek", key: "k", ...own }),
    ])
      expect(traitsOf(entry, provider!, "chatstyle")).toMatchObject({ strict: true });
    const minimax = of({ preset: "minimax", key: "k", ...own })!;
    expect(traitsOf(entry, minimax, "chatstyle")).toMatchObject({ strict: true, refuses: ["candidates"] });
    expect(explainTraits(entry, minimax, "chatstyle").traits).toContainEqual({
      trait: "maxTokensField",
      value: "max_completion_tokens",
      from: "server",
    });
  });
});

it("what was learnt from a refusal takes precedence over a preset, and the file over both", () => {
  const entry: Entry = { provider: "p", name: "m", priority: 1, isActive: true };
  const learnt = { maxTokensField: "max_tokens" } as const;
  const merged = (more: object) =>
    mergedTraits(entry, of({ preset: "minimax", key: "k", ...more })!, "chatstyle", learnt).maxTokensField;
  expect(merged({})).toBe("max_tokens");
  expect(merged({ traits: { maxTokensField: "max_completion_tokens" } })).toBe("max_completion_tokens");
});

describe("the identity of a preset", () => {
  const vertex = { preset: "google-vertex-anthropic", parts: { project: "p" } };

  it("is read from the file that the vendor's variable names", () => {
    const account = { client_email: "a@example.com", private_key: "secret-key" };
    const env = { GOOGLE_APPLICATION_CREDENTIALS: write("account.json", JSON.stringify(account)) };
    expect(of(vertex, env)?.identity?.secrets()).toEqual(["secret-key"]);
  });

  it("is an error if that file has no service account", () => {
    const env = { GOOGLE_APPLICATION_CREDENTIALS: write("user.json", '{"type":"authorized_user"}') };
    expect(problem(vertex, env)).toContain(
      "p.auth: GOOGLE_APPLICATION_CREDENTIALS names a file that is no key file",
    );
  });

  it("is the machine's without that variable, and none beside a key", () => {
    expect(of(vertex)?.identity).toBeDefined();
    expect(of({ preset: "google-vertex", parts: { project: "p" }, key: "k" })).toMatchObject({ key: "k" });
  });
});

describe("the activation of a preset", () => {
  const env = { GROQ_API_KEY: "k", DEEPSEEK_API_KEY: "k", OPENAI_API_KEY: "k" };
  const activated = (providers: object): string[] => {
    const { source } = loadWithSource(write("manifold.json", JSON.stringify({ providers })), env);
    return activePresets(env, variablesOfProviders(source)).map(({ id }) => id);
  };

  it("needs no line in the file", () => {
    expect(activated({})).toEqual(["openai", "deepseek", "groq"]);
  });

  it("is left to the file if one of its providers uses the variable or the preset", () => {
    const chat = { protocol: "chatstyle", origin: "https://api.groq.com/openai/v1" };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
    const providers = { fast: { ...chat, key: "${GROQ_API_KEY}" }, deep: { preset: "deepseek" } };
    expect(activated(providers)).toEqual(["openai"]);
  });
});
