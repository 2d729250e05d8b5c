/** The tables of known providers: data, which nothing but these laws checks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { activePresets, fromPreset, presets, surchargesOf } from "@manifold-gateway/providers";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { provider } from "../../apps/server/src/config/providers.ts";

const FOLDER = join(import.meta.dirname, "../../packages/providers/src/presets");
const SURCHARGES = "surcharges.json";
const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Record<string, Row>;
const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json") && file !== SURCHARGES);

interface Row {
  name: string;
  origin: string;
  regions?: Record<string, string>;
  parts?: Record<string, { variables?: string[]; default?: string }>;
  speaks: string[];
  listing?: string | false;
  keyVariable?: string;
  identityVariable?: string;
  originVariable?: string;
  activation?: "variable" | "file";
  sources: string[];
  unsure?: string[];
  [member: string]: unknown;
}
const rows = files.flatMap((file) => Object.entries(read(file)));

const variable = z.string().regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/);
/** The members that only a preset has, and a declared provider has not. */
const own = z.strictObject({
  name: z.string().min(1),
  regions: z.record(z.string(), z.string()).optional(),
  parts: z
    .record(
      z.string(),
      z.strictObject({ variables: z.array(variable).optional(), default: z.string().optional() }),
    )
    .optional(),
  also: z
    .array(z.enum(["rerank", "transcription", "images", "speech", "embeddings"]))
    .min(1)
    .optional(),
  media: z.literal(true).optional(),
  keyVariable: variable.optional(),
  identityVariable: variable.optional(),
  originVariable: variable.regex(/_ORIGIN$/).optional(),
  activation: z.enum(["variable", "file"]).optional(),
  priceList: z.string().optional(),
  describes: z.enum(["tags", "props"]).optional(),
  // A repository with a path in it, or the host of pages, with a path or a title.
  sources: z
    .array(z.string().regex(/^([\w.-]+\/[\w.-]+:\S.*|[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?(: .+)?)$/))
    .min(1)
    .max(4),
  read: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/),
  unsure: z.array(z.string()).min(1).optional(),
  note: z
    .string()
    .regex(/^[A-Z].*\.$/)
    .optional(),
});

/** The addresses of a row, with a name in place of each part. */
const addressesOf = ({ origin, regions = {} }: Row) =>
  [origin, ...Object.values(regions)].map((address) => address.replace(/\{\w+\}/g, "part"));
const namesIn = (address: string) => [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** A row as an operator would declare it, beside the members that only presets have. */
function split(row: Row) {
  const { speaks, ...rest } = row;
  const isOwn = (name: string) => name in own.shape;
  const part = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => keep(name)));
  return {
    own: part(isOwn),
    declared: {
      ...part((name) => !isOwn(name)),
      origin: addressesOf(row)[0],
      ...(speaks.length > 0 && { protocol: speaks }),
    },
  };
}

describe.each(rows)("the preset %s", (id, row) => {
  it(`${id} is a valid provider of the configuration`, () => {
    const parts = split(row);
    expect(own.parse(parts.own)).toEqual(parts.own);
    expect(provider.parse(parts.declared)).toEqual(parts.declared);
  });

  it(`${id} has addresses with https, unless it runs on the operator's machine`, () => {
    const isOnMachine = addressesOf(row).every((address) => new URL(address).hostname === "127.0.0.1");
    const isProtected = addressesOf(row).every((address) => new URL(address).protocol === "https:");
    expect(isProtected || isOnMachine).toBe(true);
    if (presets[id]?.kind === "server") expect(isOnMachine).toBe(true);
  });

  it(`${id} declares each part of its address, and no other`, () => {
    const addresses = [row.origin, ...Object.values(row.regions ?? {})];
    const named = new Set(addresses.flatMap(namesIn));
    expect(Object.keys(row.parts ?? {}).sort()).toEqual([...named].sort());
  });

  it(`${id} marks as unsure only members that it has, or that it lacks for want of a source`, () => {
    const known = [...Object.keys(row), "listing"];
    expect((row.unsure ?? []).filter((member) => !known.includes(member))).toEqual([]);
  });

  it(`${id} can be activated, and by the file alone if a variable says too little`, () => {
    const isByFile = row.activation === "file";
    expect(isByFile || row.keyVariable !== undefined || row.originVariable !== undefined).toBe(true);
    // Without a list there are no models, and without its parts no address.
    if (row.listing === false || row.parts) expect(isByFile).toBe(true);
    // These variables are usually set for other uses.
    if (/^(AWS|GOOGLE|GITHUB|GH|HF|CLOUDFLARE|SCW|WANDB|HELICONE)_/.test(row.keyVariable ?? ""))
      expect(isByFile).toBe(true);
  });
});

describe("the presets together", () => {
  it("have each id and each name once", () => {
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
    expect(new Set(rows.map(([, { name }]) => name)).size).toBe(rows.length);
    expect(Object.keys(presets)).toHaveLength(rows.length);
  });

  it("are activated one by each variable", () => {
    const variables = rows
      .filter(([, { activation }]) => activation !== "file")
      .map(([, { originVariable, keyVariable }]) => originVariable ?? keyVariable);
    expect(variables.filter((name, at) => variables.indexOf(name) !== at)).toEqual([]);
  });

  it("include the providers that people ask for", () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(Object.keys(read(SURCHARGES)).filter((id) => !presets[id])).toEqual([]);
  });
});

describe("activation", () => {
  it("needs the variable of a key or an address, and no other", () => {
    const of = (env: Record<string, string>) => activePresets(env).map(({ id }) => id);
    expect(of({ GROQ_API_KEY: "k", OLLAMA_ORIGIN: "http://127.0.0.1:1" })).toEqual(["groq", "ollama"]);
    expect(of({ GITHUB_TOKEN: "k", HF_TOKEN: "k", AWS_REGION: "r", AWS_BEARER_TOKEN_BEDROCK: "k" })).toEqual(
      [],
    );
    expect(of({ VLLM_API_KEY: "k" })).toEqual([]);
  });

  it("leaves out a preset whose variable the configuration's providers use", () => {
    const env = { GROQ_API_KEY: "k", OPENAI_API_KEY: "k" };
    const ids = activePresets(env, new Set(Object.keys(env))).map(({ id }) => id);
    // This one has always been activated.
    expect(ids).toEqual(["openai"]);
  });
});

describe("a preset in a program", () => {
  it("is filled with the parts of its address", () => {
    const provider = fromPreset("amazon-bedrock", { key: "k", parts: { region: "eu-west-1" } });
    expect(provider.origin).toBe("https://bedrock-runtime.eu-west-1.amazonaws.com");
    expect(fromPreset("moonshotai", { parts: { region: "cn" } }).speaks.msgstyle?.base).toBe("/anthropic/v1");
  });

  it.each([
    [
      "amazon-bedrock",
      {},
      /parts\.region is needed for its address: set 'region' or the variable AWS_REGION/,
    ],
    ["amazon-bedrock", { region: "a/b" }, /parts\.region 'a\/b' cannot be the region of an address/],
    ["moonshotai", { region: "eu" }, /parts\.region 'eu' is no region of it; known are cn/],
    ["groq", { region: "eu" }, /parts\.region is no part of its address; it has none/],
  ])("%s with the parts %o is an error that names the part", (id, parts, message) => {
    expect(() => fromPreset(id, { parts: parts as Record<string, string> })).toThrow(message);
  });
});

describe("what a preset leaves unpriced", () => {
  test.each(Object.entries(presets))("%s refuses it, unless it is a server of one's own", (_, preset) => {
    expect(preset.unpriced).toBe(preset.kind === "server" ? "forward" : "refuse");
    expect(preset.drain).toBe(preset.kind === "server" ? 0 : undefined);
  });

  it("is found by the first row that fits a model's name", () => {
    const rows = presets.openai?.surcharges ?? [];
    expect(surchargesOf(rows, "gpt-4o").calls?.webSearches).toBe(0.025);
    expect(surchargesOf(rows, "gpt-5").calls?.webSearches).toBe(0.01);
  });
});
