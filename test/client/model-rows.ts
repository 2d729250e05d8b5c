import { dollarOf, type Unit } from "@manifold-gateway/core/pricing";
import {
  knownTraits,
  moderationModels,
  presets,
  rerankModels,
  speechModels,
  transcriptionModels,
} from "@manifold-gateway/providers";
import { listedAbilities } from "../../apps/server/src/catalog/public-capabilities.ts";
import { listedNames, listedPrice } from "../../apps/server/src/catalog/public-prices.ts";

type Kind = "text" | "embedding" | "image" | "ranking" | "moderation" | "speech" | "transcription";

/** Units of a row's prices, in the order of their columns. */
const units = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cacheWriteLong",
  "audioInput",
  "audioOutput",
  "imageInput",
  "imageOutput",
  "searchUnits",
  "seconds",
  "characters",
] as const;

/** Presets whose models are listed under another preset's name in the price list. */
const lists: Record<string, string> = { "google-vertex": "google", "google-vertex-anthropic": "anthropic" };

/** Presets that serve a part of their list, because they speak the protocol of that part. */
const parts: Record<string, RegExp> = {
  openai: /^(?!ft:|gpt-5.*image)[^:]*[^:.-]$/,
  google: /^(gemini|gemma)-/,
  "google-vertex": /^gemini-/,
  "amazon-bedrock": /^(global\.)?anthropic\./,
  "bedrock-converse": /^(?!(global\.|regional\.)?(anthropic|openai)\.)/,
  "bedrock-openai": /^openai\.gpt-oss/,
  "bedrock-mantle": /^openai\.gpt-\d/,
  // The list has names without their maker as well, which the router does not know.
  openrouter: /^[\w-]+\//,
};

/** Presets whose list is another vendor's part of it, or whose names for its models the list does not have. */
const outside = new Set(["azure-anthropic", "cloudflare-ai-gateway", "google-vertex-openapi"]);

/** Models of endpoints that the client does not have or has a list of its own for, and names that chat endpoints no longer serve. */
const otherUse =
  /realtime|transcri|whisper|tts|speech|voice|-live-|moderation|rerank|ocr|sonic|lyria|gpt-audio|-instruct-sft|^(ada|babbage|curie|davinci|text-davinci-\d+)$|gpt-3.5-turbo-instruct$|classif|distilbert|indictrans|m2m100/i;

type Row = (number | null)[];
type Price = Readonly<Partial<Record<(typeof units)[number], number>>>;

const kindOf = (name: string, price: Price): Kind => {
  if (/embed/.test(name)) return "embedding";
  if (price.imageOutput !== undefined || /image/.test(name)) return "image";
  return price.output === undefined && price.input !== undefined ? "embedding" : "text";
};

/** The file of models, as `packages/client/src/catalog/models.json` has it. */
export interface ModelFile extends Record<Kind, Record<string, Row>> {
  /** The day whose prices it has. */
  asOf: string;
  /** Models whose long prompts cost more. */
  tiered: string[];
}

/** A row without the empty columns at its end. */
function rowOf(price: Price, window?: number, most?: number): Row {
  const row = [window ?? null, most ?? null, ...units.map((unit) => price[unit] ?? null)];
  while (row.at(-1) === null) row.pop();
  return row;
}

/** A price of the ledger in US dollars. */
const dollars = (price: object): Price =>
  Object.fromEntries(Object.entries(price).map(([unit, amount]) => [unit, amount / dollarOf(unit as Unit)]));

/** The rows of known models whose answer is no text. */
const judgingRows = (models: typeof rerankModels): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(models).map(([name, { provider, price }]) => [
      `${provider}/${name}`,
      rowOf(dollars(price)),
    ]),
  );

/** The rows of known models of sound, but of those whose vendor bills other seconds than the sound has. */
const soundRows = (models: typeof speechModels): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(models).flatMap(([known, { name = known, provider, tiers, meter }]) =>
      meter ? [] : [[`${provider}/${name}`, rowOf(dollars(tiers[0]?.price ?? {}))]],
    ),
  );

/** The models of presets by their kind: what the public lists and the known families say of each. */
export function modelFile(asOf: string): ModelFile {
  const rows: ModelFile = {
    asOf,
    text: {},
    embedding: {},
    image: {},
    ranking: judgingRows(rerankModels),
    moderation: judgingRows(moderationModels),
    speech: soundRows(speechModels),
    transcription: soundRows(transcriptionModels),
    tiered: [],
  };
  const at = new Date(`${asOf}T12:00:00Z`);
  for (const [id, { origin, speaks, kind }] of Object.entries(presets)) {
    if (speaks.length === 0 || kind === "server" || outside.has(id)) continue;
    const list = listedNames(lists[id] ?? presets[id]?.priceList ?? id);
    for (const name of list?.names ?? []) {
      if (otherUse.test(name) || !(parts[id] ?? /./).test(name)) continue;
      const found = list && listedPrice(name, { id: list.provider, origin }, at);
      if (found?.price.input === undefined) continue;
      const abilities = listedAbilities(found.provider, name);
      if (abilities?.retired) continue;
      const most = knownTraits(name).maxOutput ?? abilities?.maxOutputTokens;
      const row = rowOf(found.price, found.contextWindow ?? abilities?.contextWindow, most);
      if (found.tiered) rows.tiered.push(`${id}/${name}`);
      rows[kindOf(name, found.price)][`${id}/${name}`] = row;
    }
  }
  return rows;
}
