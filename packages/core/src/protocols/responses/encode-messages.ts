import type { Context } from "../../family/content.ts";
import { extraFor } from "../../ir/extra.ts";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  SystemMessage,
  TextPart,
  UserMessage,
  UserPart,
} from "../../ir/index.ts";
import { type JsonObject, toObject } from "../../json/json.ts";
import { encodePart, shorten } from "./encode-parts.ts";
import { encodeResult } from "./encode-results.ts";
import { plainText } from "./instructions.ts";
import { callItem, encodeImage, encodeReasoning, isClientItem, runOf, unwrapContent } from "./items.ts";
import { protocol, wireFieldsOf } from "./parts.ts";

/**
 * The conversation as the wire has it. The first system text stands in a field of its own where it is plain, unless
 * `items` is set.
 */
export function encodeMessages(
  messages: readonly Message[],
  context: Context,
  items = false,
): { instructions?: string; input: JsonObject[] } {
  const [first] = messages;
  // Alone it has to be an item: there is no request without any.
  const lifts = !items && first?.role === "system" && messages.length > 1;
  const instructions = lifts ? plainText(first) : undefined;
  const rest = instructions === undefined ? messages : messages.slice(1);
  const skipped = messages.length - rest.length;
  const runs = new Map<string, string>();
  const input = rest.flatMap((message, i): JsonObject[] => {
    const path = `/messages/${i + skipped}`;
    if (message.name !== undefined) context.lose(`${path}/name`, "unsupported");
    if (message.role === "system") return encodeSystem(message, path, context);
    if (message.role === "user") return encodeUser(message, path, context, runs);
    return encodeAssistant(message, path, context, runs);
  });
  return { ...(instructions !== undefined && { instructions }), input };
}

function encodeSystem(message: SystemMessage, path: string, context: Context): JsonObject[] {
  const developer = message.developer === true && context.traits.developer !== false;
  const content = message.parts.flatMap<JsonObject>(
    (part, j) => encodePart(part, `${path}/parts/${j}`, context, "user") ?? [],
  );
  if (content.length === 0 && message.parts.length > 0) return [];
  return [
    {
      ...extraFor(protocol, message.extra, context.lose, path),
      type: "message",
      role: developer ? "developer" : "system",
      content: shorten(content),
    },
  ];
}

function encodeUser(
  message: UserMessage,
  path: string,
  context: Context,
  runs: ReadonlyMap<string, string>,
): JsonObject[] {
  const items: JsonObject[] = [];
  const moved: UserPart[] = [];
  let extra = extraFor(protocol, message.extra, context.lose, path);
  let content: JsonObject[] = [];
  const flush = (): void => {
    if (content.length > 0)
      items.push({ ...extra, type: "message", role: "user", content: shorten(content) });
    if (content.length > 0) extra = {};
    content = [];
  };
  const place = (part: UserPart, at: string): void => {
    if (part.type === "result") {
      flush();
      items.push(...encodeResult(part, at, context, runs, moved));
      return;
    }
    if (part.type === "opaque" && part.protocol === protocol && isClientItem(toObject(part.value))) {
      flush();
      items.push(toObject(part.value));
      return;
    }
    const wire = encodePart(part, at, context, "user");
    if (wire) content.push(wire);
  };
  message.parts.forEach((part, j) => {
    place(part, `${path}/parts/${j}`);
  });
  // Media that a result cannot hold here follows what it came with.
  for (const part of moved) place(part, path);
  flush();
  if (message.parts.length === 0) return [{ ...extra, type: "message", role: "user", content: "" }];
  if (items.length === 0) context.lose(path, "unsupported", "nothing of the message is left");
  else for (const field of Object.keys(extra)) context.lose(`${path}/extra/${field}`, "unsupported");
  return items;
}

function encodeAssistant(
  message: AssistantMessage,
  path: string,
  context: Context,
  runs: Map<string, string>,
): JsonObject[] {
  const { lose } = context;
  if (message.extra) extraFor(protocol, message.extra, lose, path);
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  let head: JsonObject = {};
  const flush = (): void => {
    if (content.length > 0)
      items.push({ ...head, type: "message", role: "assistant", content: shorten(content) });
    content = [];
    head = {};
  };
  const say = (part: AssistantPart, at: string): void => {
    const inner = part.type === "opaque" ? unwrapContent(part) : undefined;
    if (inner || part.type === "text") {
      const { item } = part.type === "text" ? wireFieldsOf(part) : {};
      if (item !== undefined) {
        flush();
        head = toObject(item);
      }
      const wire = inner ?? encodePart(part as TextPart, at, context, "assistant");
      if (wire) content.push(wire);
      return;
    }
    const item = encodeItem(part, at, context, runs);
    if (!item) return;
    flush();
    items.push(item);
  };
  message.parts.forEach((part, j) => {
    say(part, `${path}/parts/${j}`);
  });
  flush();
  if (message.parts.length === 0) return [{ type: "message", role: "assistant", content: "" }];
  if (items.length === 0) lose(path, "unsupported", "nothing of the message is left");
  return items;
}

function encodeItem(
  part: AssistantPart,
  path: string,
  context: Context,
  runs: Map<string, string>,
): JsonObject | undefined {
  const { lose } = context;
  switch (part.type) {
    case "reasoning":
      return encodeReasoning(part, path, context);
    case "media":
      return encodeImage(part, path, context);
    case "call": {
      const fields = extraFor(protocol, part.extra, lose, path);
      if (part.seal) lose(`${path}/seal`, "unsupported", "the state of a call of another protocol");
      if (part.cache) lose(`${path}/cache`, "unsupported");
      if (runOf(fields.type)) runs.set(part.id, `${fields.type}_output`);
      return callItem(part, part.arguments, fields);
    }
    case "opaque":
      if (part.protocol === protocol) return toObject(part.value);
      lose(path, "unsupported", `something that only ${part.protocol} knows`);
      return undefined;
    default:
      return undefined;
  }
}
