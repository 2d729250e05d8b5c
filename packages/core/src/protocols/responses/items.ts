import type { Context } from "../../family/content.ts";
import { extraFor } from "../../ir/extra.ts";
import type {
  AssistantPart,
  CallPart,
  Extra,
  MediaPart,
  OpaquePart,
  ReasoningPart,
  Seal,
} from "../../ir/index.ts";
import { sniffMediaType, toBytes, toSource } from "../../ir/media-source.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  parseJson,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { SEAL_MARK, sealFor, sealFrom, unsealedId } from "../seal.ts";
import { decodePart } from "./decode-parts.ts";
import { extrasOf, protocol, wireFieldsOf } from "./parts.ts";
import { longName, shortName } from "./tools.ts";

/** Calls of tools that the vendor declares and the client runs: ordinary calls but for their spelling. */
const clientRun: Record<string, { name: string; body: string }> = {
  local_shell_call: { name: "local_shell", body: "action" },
  shell_call: { name: "shell", body: "action" },
  apply_patch_call: { name: "apply_patch", body: "operation" },
};

/** The types of their results. */
export const runOutputs: ReadonlySet<string> = new Set(
  Object.keys(clientRun).map((type) => `${type}_output`),
);

/** The members of a client-run call's spelling; nothing for other types. */
export const runOf = (type: Json | undefined): { name: string; body: string } | undefined =>
  typeof type === "string" ? lookup(clientRun, type) : undefined;

/**
 * Checks whether an item that the IR does not model is on the client's side. All other such items are the model's;
 * unknown types inside a user's message are parts of its content.
 */
export function isClientItem({ type, execution, role }: JsonObject): boolean {
  if (typeof type !== "string") return role === undefined;
  return type === "tool_search_output" ? execution === "client" : clientTypes.test(type);
}
const clientTypes =
  /^(computer_call_output|additional_tools|mcp_approval_response|item_reference|compaction_trigger|configuration_update)$|^(function|custom_tool|[a-z]*_?shell|apply_patch)_call_output$/;

/** Members that are kept only in history, because replies get new ones. */
const historyFields = ["id", "status"];
const decodedFields = (history: boolean, ...names: string[]): Set<string> =>
  new Set(history ? names : [...names, ...historyFields]);

/** The parts of one item of the model's side. `history`: it comes from a request, not from a reply. */
export function decodeItem(item: JsonObject, history: boolean): AssistantPart[] {
  switch (item.type) {
    case undefined:
    case null:
    case "message":
      return decodeMessage(item, history);
    case "function_call":
    case "custom_tool_call":
      return [decodeCall(item, history)];
    case "reasoning":
      return decodeReasoning(item, history);
    case "image_generation_call": {
      const image = decodeImage(item, history);
      if (image) return [image];
      break;
    }
    default:
      if (runOf(item.type) && isObject(item[runOf(item.type)?.body as string]))
        return [decodeCall(item, history)];
  }
  return [{ type: "opaque", protocol, value: item }];
}

const messageFields = ["type", "role", "content"];

/** The members of a message item beside its content, as the IR keeps them: on the first part. */
export function messageExtra(item: JsonObject, history: boolean): { extra?: Extra } {
  const { extra } = extrasOf(item, decodedFields(history, ...messageFields));
  if (!extra) return {};
  const mere = Object.keys(extra.fields).every((name) => extra.internal?.includes(name));
  return { extra: { protocol, fields: { item: extra.fields }, ...(mere && { internal: ["item"] }) } };
}

/** Content of the model's message that the IR does not model, as an item that could stand alone. */
export const wrapContent = (content: Json): OpaquePart => ({
  type: "opaque",
  protocol,
  value: { type: "message", role: "assistant", content: [content] },
});

/** The content of such an item; nothing for any other. */
export function unwrapContent({ protocol: from, value }: OpaquePart): JsonObject | undefined {
  const { type, content } = toObject(value);
  return from === protocol && type === "message" ? toObject(toArray(content)[0]) : undefined;
}

function decodeMessage(item: JsonObject, history: boolean): AssistantPart[] {
  const content =
    typeof item.content === "string" ? [{ type: "output_text", text: item.content }] : item.content;
  const parts = toArray(content).flatMap((json): AssistantPart[] => {
    const part = decodePart(json);
    if (!part) return [];
    // The wire has no media in the model's messages; any that came is kept and written back unchanged.
    return [part.type === "text" ? part : wrapContent(json)];
  });
  const { extra } = messageExtra(item, history);
  const first = parts.findIndex((part) => part.type !== "opaque");
  const part = parts[first];
  if (extra && part && part.type !== "opaque")
    parts[first] = { ...part, extra: { ...extra, fields: { ...part.extra?.fields, ...extra.fields } } };
  return parts;
}

export const argumentsOf = (value: Json | undefined): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : toText(value);

/** A call, whole. Its namespace stays in `extra`, as does the type of a client-run one. */
export function decodeCall(item: JsonObject, history: boolean): CallPart {
  const run = runOf(item.type);
  const body = run?.body ?? (item.type === "custom_tool_call" ? "input" : "arguments");
  const known = run
    ? decodedFields(history, "call_id", body)
    : decodedFields(history, "type", "call_id", "name", body);
  const { id, seal } = unsealedId(toText(item.call_id) || toText(item.id));
  return {
    type: "call",
    id,
    name: run?.name ?? longName(textOf(item.namespace), toText(item.name)),
    arguments: argumentsOf(item[body]),
    ...(item.type === "custom_tool_call" && { freeform: true }),
    ...(seal && { seal }),
    ...extrasOf(item, known),
  };
}

/** A call as an item. `fields` are the wire's own members; `namespace` counts where they name none. */
export function callItem(
  call: Pick<CallPart, "id" | "name" | "freeform">,
  text: string,
  fields: JsonObject,
  namespace?: string,
): JsonObject {
  const run = runOf(fields.type);
  if (run) return { ...fields, call_id: call.id, [run.body]: toObject(parseJson(text)) };
  const { namespace: fieldNamespace, ...others } = fields;
  const home = textOf(fieldNamespace) ?? namespace;
  const short = home === undefined ? undefined : shortName(home, call.name);
  return {
    ...others,
    type: call.freeform ? "custom_tool_call" : "function_call",
    call_id: call.id,
    name: short ?? call.name,
    ...(short !== undefined && { namespace: home as string }),
    // Clients and servers parse arguments: none at all are an empty object.
    ...(call.freeform ? { input: text } : { arguments: text.trim() === "" ? "{}" : text }),
  };
}

const REDACTED = ".redacted";

/** The seal of a reasoning item: upstream's own state, or a foreign one that travels in its place. */
export function sealOf(value: Json | undefined): { seal?: Seal; redacted?: true } {
  if (typeof value !== "string" || value === "") return {};
  // A foreign block without any text has to differ from one whose text was empty.
  const redacted = value.startsWith(SEAL_MARK) && value.endsWith(REDACTED);
  const seal = sealFrom(protocol, redacted ? value.slice(0, -REDACTED.length) : value);
  return { seal, ...(redacted && { redacted }) };
}

export const writeSeal = (seal: Seal, redacted: true | undefined): string =>
  sealFor(protocol, seal) + (redacted && seal.protocol !== protocol ? REDACTED : "");

/** Pieces of a thought are paragraphs. */
export const GAP = "\n\n";
export const thoughtOf = (list: Json | undefined): string =>
  toArray(list)
    .map((piece) => toText(toObject(piece).text))
    .filter((text) => text !== "")
    .join(GAP);

/** Reads a thought: its summary or, if there is none, its raw text. */
function decodeReasoning(item: JsonObject, history: boolean): AssistantPart[] {
  const summary = thoughtOf(item.summary);
  const text = summary || thoughtOf(item.content);
  const known = decodedFields(history, "type", "summary", "encrypted_content");
  const part: ReasoningPart = {
    type: "reasoning",
    text,
    ...sealOf(item.encrypted_content),
    ...extrasOf(item, known, summary === "" ? ["content"] : []),
  };
  return text === "" && !part.seal && !part.extra ? [] : [part];
}

/**
 * Providers accept only their own state, so a thought without one is left out, unless the model requires its thoughts
 * back: they are then sent as text.
 */
export function encodeReasoning(
  part: ReasoningPart,
  path: string,
  { lose, traits }: Context,
): JsonObject | undefined {
  const { text, seal, redacted } = part;
  const insists = traits.reasoningBack === "calls" || traits.reasoningBack === "always";
  if (insists && !redacted && seal?.protocol !== protocol && part.extra?.protocol !== protocol) {
    if (seal) lose(`${path}/seal`, "unsupported", "the state of a thought of another protocol");
    return { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text }] };
  }
  if (seal ? seal.protocol !== protocol : part.extra?.protocol !== protocol) {
    lose(
      path,
      "unsupported",
      seal ? "the state of a thought of another protocol" : "a thought without its state",
    );
    return undefined;
  }
  if (redacted) lose(`${path}/redacted`, "unsupported");
  const fields = extraFor(protocol, part.extra, lose, path);
  const raw = fields.content !== undefined && thoughtOf(fields.content) === text;
  return {
    ...fields,
    type: "reasoning",
    summary: text === "" || raw ? [] : [{ type: "summary_text", text }],
    ...(seal && { encrypted_content: seal.value }),
  };
}

const imageFormats: Record<string, string> = { svg: "image/svg+xml", jpg: "image/jpeg" };
const imageType = (format: string): string => lookup(imageFormats, format) ?? `image/${format}`;

function decodeImage(item: JsonObject, history: boolean): MediaPart | undefined {
  const result = toText(item.result);
  // A past image without its id cannot be written back.
  if (result === "" || (history && typeof item.id !== "string")) return undefined;
  const format = textOf(item.output_format);
  const mediaType = format ? imageType(format) : (sniffMediaType(result) ?? "image/png");
  return {
    type: "media",
    kind: "image",
    source: result.startsWith("data:") ? toSource(result) : toBytes(result, mediaType),
    ...extrasOf(item, decodedFields(history, "type", "result", "output_format")),
  };
}

const formats = ["png", "webp", "jpeg", "gif", "svg"] as const;

/** The wire's word for a type of image. */
export const imageFormat = (mediaType: string): (typeof formats)[number] | undefined =>
  formats.find((format) => imageType(format) === mediaType);

/** An image that the model made, as the work of the wire's image tool. */
export function encodeImage(part: MediaPart, path: string, { lose }: Context): JsonObject | undefined {
  const { source, kind } = part;
  if (kind !== "image" || source.type !== "base64") {
    lose(path, "unsupported", "media of the model other than image bytes");
    return undefined;
  }
  const wireFields = wireFieldsOf(part);
  if (wireFields.id === undefined) lose(path, "approximated", "became the result of an image generation");
  else if (part.name !== undefined || part.detail !== undefined) lose(path, "approximated");
  if (part.cache) lose(`${path}/cache`, "unsupported");
  const format = imageFormat(source.mediaType);
  if (!format) lose(`${path}/source/mediaType`, "unsupported");
  const made = { id: `ig_${path.replace(/\D+/g, "_").replace(/^_/, "")}`, status: "completed" };
  return {
    ...(wireFields.id === undefined && made),
    ...extraFor(protocol, part.extra, lose, path),
    type: "image_generation_call",
    ...(format && { output_format: format }),
    result: source.data,
  };
}
