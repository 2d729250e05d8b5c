import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Lose } from "../../ir/loss.ts";
import { toSource, toUrl } from "../../ir/media-source.ts";
import { compact, isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { array, object, string, union, variant } from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import type { OperationFacts } from "../codec.ts";
import type { ModerationInput, ModerationPart, ModerationRequest } from "./ir.ts";

export const protocol = "chatstyle";

export const facts: OperationFacts = { params: {}, others: ["input"] };

const fields = new Set(["model", "input"]);

const url = string({
  pattern: /^(?:https?:\/\/|data:image\/)/i,
  message: "must be an http or https URL, or a data URL of an image",
});
const part = variant(
  object({ type: string() }),
  "type",
  { text: object({ text: string() }), image_url: object({ image_url: object({ url }) }) },
  { closed: true, message: "must be a part of the type text or image_url" },
);
const some = { min: 1, message: "must not be empty" };

/** The requests that callers send. */
export const schema = validator(
  object({
    model: string({ min: 1, message: "is required" }),
    input: union(
      [string(), array(string(), some), array(part, some)],
      "must be a string, an array of strings, or an array of parts of the types text and image_url",
    ),
  }),
);

function readPart(value: Json): ModerationPart {
  const wire = toObject(value);
  if (wire.type !== "image_url")
    return { type: "text", text: toText(wire.text), ...extraOf(protocol, wire, new Set(["type", "text"])) };
  const source = toSource(toText(toObject(wire.image_url).url));
  const extra = extraOf(protocol, wire, new Set(["type", "image_url"]));
  return { type: "media", kind: "image", source, ...extra };
}

function writePart(value: ModerationPart, lose: Lose, path: string): JsonObject {
  const extra = extraFor(protocol, value.extra, lose, path);
  if (value.type === "text") return { ...extra, type: "text", text: value.text };
  return { ...extra, type: "image_url", image_url: { url: toUrl(value.source) ?? "" } };
}

/** Reads a request: a text and each text of a list is an input, the parts of a list are one input together. */
export function decode(wire: JsonObject, trace: Trace = noTrace): ModerationRequest {
  const { input } = wire;
  const traced = <Node extends object>(node: Node, pointer: string): Node => {
    trace(node, pointer);
    return node;
  };
  const ofText = (text: string, pointer: string): ModerationInput =>
    traced({ parts: [traced({ type: "text", text }, pointer)] }, pointer);
  const items = toArray(input);
  const inputs = items.some(isObject)
    ? [traced({ parts: items.map((item, i) => traced(readPart(item), `/input/${i}`)) }, "/input")]
    : typeof input === "string"
      ? [ofText(input, "/input")]
      : items.map((item, i) => ofText(toText(item), `/input/${i}`));
  return compact<ModerationRequest>({
    model: toText(wire.model),
    inputs,
    ...extraOf(protocol, wire, fields),
  });
}

/** The text of an input that is nothing else. */
function plainOf({ parts: [first, ...more] }: ModerationInput): string | undefined {
  return first?.type === "text" && !first.extra && more.length === 0 ? first.text : undefined;
}

export function encode(request: ModerationRequest, lose: Lose): JsonObject {
  const [first, ...more] = request.inputs;
  const texts = request.inputs.map((input) => plainOf(input) ?? "");
  const only = first && more.length === 0 ? first : undefined;
  const parts = only && plainOf(only) === undefined ? only.parts : undefined;
  const input = parts?.map((part, j) => writePart(part, lose, `/inputs/0/parts/${j}`));
  return {
    ...extraFor(protocol, request.extra, lose, ""),
    model: request.model,
    input: input ?? (only ? (texts[0] as string) : texts),
  };
}
