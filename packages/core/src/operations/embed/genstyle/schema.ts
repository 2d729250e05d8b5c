import { snake } from "../../../codec/snake-case.ts";
import { isObject, type Json, type JsonObject, toObject } from "../../../json/json.ts";
import { object } from "../../../schema/node.ts";
import { type Fault, validator } from "../../../schema/validator.ts";
import { dimensionsOf, type EmbedItem, embedItemsOf, member, nativeConfigOf, partsOf } from "./fields.ts";

/** Members that the service refuses of this wire, although its providers take them. */
const refused = ["taskType", "title"];

/** Two casings and three spellings are beyond a declarative schema: the rules are written out. */
export const schema = validator(object({}), {
  *faults(wire) {
    yield* faultsOf(wire as JsonObject);
    yield* refusedIn(wire as JsonObject);
  },
});

/** The requests that providers of this wire take. */
export const providerSchema = validator(object({}), { faults: (wire) => faultsOf(wire as JsonObject) });

function* refusedIn(wire: JsonObject): Generator<Fault> {
  for (const { record, path } of embedItemsOf(wire)) yield* faultsOfConfig(record, path);
  if (wire.requests !== undefined) yield* faultsOfConfig(wire, []);
}

function* faultsOf(wire: JsonObject): Generator<Fault> {
  const { requests } = wire;
  if (requests !== undefined && (!Array.isArray(requests) || requests.length === 0))
    return yield {
      path: ["requests"],
      message: "must be a non-empty array of { content: { parts: [...] } }",
    };
  const items = embedItemsOf(wire);
  for (const one of items) yield* faultsOfOne(one);
  const [first, ...others] = items.map(dimensionsOf);
  const odd = others.findIndex((dimensions) => dimensions !== first);
  if (odd >= 0)
    yield {
      path: ["requests", odd + 1, "outputDimensionality"],
      message: `must be the same in all requests: ${others[odd] ?? "absent"} here, ${first ?? "absent"} in the first`,
    };
}

function* faultsOfOne(item: EmbedItem): Generator<Fault> {
  const { path, field, content } = item;
  const dimensions = dimensionsOf(item);
  if (dimensions !== undefined && !(Number.isInteger(dimensions) && (dimensions as number) > 0))
    yield { path: [...path, "outputDimensionality"], message: "must be a positive integer" };
  const at = [...path, field];
  if (content === undefined) return yield { path: at, message: "is required: { parts: [...] }" };
  if (Array.isArray(content) && content.length !== 1)
    return yield { path: at, message: "must be one content: several go to batchEmbedContents as requests" };
  const [only] = Array.isArray(content) ? content : [content];
  if (typeof only !== "string" && !(isObject(only) && Array.isArray(only.parts)))
    return yield { path: at, message: "must be { parts: [...] }" };
  for (const [i, part] of partsOf(content).entries()) {
    const message = faultOfPart(part);
    if (message !== undefined) yield { path: [...at, "parts", i], message };
  }
}

/** The refused fields stand beside the content or inside `config`. */
function* faultsOfConfig(record: JsonObject, path: Fault["path"]): Generator<Fault> {
  for (const [place, at] of [
    [record, path],
    [toObject(record.config), [...path, "config"]],
    [nativeConfigOf(record), [...path, "embedContentConfig"]],
  ] as const)
    for (const name of refused)
      for (const spelled of new Set([name, snake(name)]))
        if (place[spelled] !== undefined && place[spelled] !== null)
          yield { path: [...at, spelled], message: "is not supported: leave it out" };
}

function faultOfPart(part: Json): string | undefined {
  if (!isObject(part)) return "must be { text } or { inlineData: { mimeType, data } }";
  if (member(part, "fileData") !== undefined)
    return "fileData is not supported: send the bytes as inlineData { mimeType, data }";
  if (typeof part.text === "string") return undefined;
  const inline = member(part, "inlineData");
  if (!isObject(inline)) return "must be { text } or { inlineData: { mimeType, data } }";
  return typeof member(inline, "mimeType") === "string" && typeof inline.data === "string"
    ? undefined
    : "inlineData needs a mimeType and base64 data";
}
