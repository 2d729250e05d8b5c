import type { Json } from "@manifold-gateway/core/codec";
import type {
  AssistantMessage,
  CallPart,
  Message,
  ResultPart,
  Tool,
  UserPart,
} from "@manifold-gateway/core/ir";
import fc from "fast-check";
import {
  cache,
  callArguments,
  extra,
  maybe,
  saidText,
  sealed,
  sparse,
  text,
  thoughts,
  unknownPart,
  words,
} from "./common.ts";

/** Tools and messages of generated requests. */

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const media = fc.constantFrom<UserPart>(
  { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png } },
  { type: "media", kind: "image", source: { type: "url", url: "https://example.com/a.png" }, detail: "high" },
  { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png }, cache: {} },
  { type: "media", kind: "image", source: { type: "file", protocol: "msgstyle", id: "file_1" } },
  {
    type: "media",
    kind: "document",
    source: { type: "base64", mediaType: "application/pdf", data: "JVBERi0xLjc=" },
    name: "a.pdf",
  },
  {
    type: "media",
    kind: "document",
    source: { type: "base64", mediaType: "application/pdf", data: "JVBERi0xLjc=" },
  },
  { type: "media", kind: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
  { type: "media", kind: "document", source: { type: "base64", mediaType: "text/plain", data: "aGVsbG8=" } },
  {
    type: "media",
    kind: "audio",
    source: { type: "base64", mediaType: "audio/wav", data: "UklGRgAAAABXQVZF" },
  },
  { type: "media", kind: "video", source: { type: "base64", mediaType: "video/mp4", data: "AAAA" } },
);

const toolNames = ["get_weather", "search", "run-it", "a.dotted:name"];
const tool: fc.Arbitrary<Tool> = fc.oneof(
  {
    weight: 5,
    arbitrary: sparse<Extract<Tool, { type: "function" }>>({
      type: fc.constant("function"),
      name: fc.constantFrom(...toolNames),
      description: maybe(words),
      schema: maybe(
        fc.constantFrom<Json>(
          { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
          {
            type: "object",
            properties: { a: { $ref: "#/$defs/a" } },
            $defs: { a: { type: ["string", "null"] } },
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { title: { const: "x" }, n: { type: "integer", exclusiveMinimum: 0 } },
          },
        ),
      ),
      strict: maybe(fc.boolean()),
      cache: maybe(cache),
      extra: maybe(extra),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("function" as const),
      name: fc.constant("free"),
      freeform: fc.constantFrom({}, { format: { type: "text" } }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Tool>(
      { type: "opaque", protocol: "responses", value: { type: "web_search", search_context_size: "low" } },
      {
        type: "opaque",
        protocol: "msgstyle",
        value: { type: "web_search_20250305", name: "web_search", max_uses: 2 },
      },
      { type: "opaque", protocol: "genstyle", value: { googleSearch: {} } },
    ),
  },
);
export const tools = fc.uniqueArray(tool, {
  minLength: 1,
  maxLength: 4,
  selector: (each) => (each.type === "function" ? each.name : `${each.protocol}`),
});

const result = (call: CallPart): fc.Arbitrary<ResultPart> =>
  sparse<ResultPart>({
    type: fc.constant("result"),
    id: fc.constant(call.id),
    parts: fc.oneof(
      { weight: 4, arbitrary: saidText.map((part): ResultPart["parts"] => [part]) },
      { weight: 1, arbitrary: fc.constant<ResultPart["parts"]>([]) },
      { weight: 1, arbitrary: fc.constant<ResultPart["parts"]>([{ type: "text", text: '{"temp":21}' }]) },
      {
        weight: 1,
        arbitrary: fc.constant<ResultPart["parts"]>([
          { type: "text", text: "a picture" },
          { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png } },
        ]),
      },
    ),
    failed: maybe(fc.constant(true as const)),
    freeform: fc.constant(call.freeform),
    cache: maybe(cache),
  });

export const system = sparse<Extract<Message, { role: "system" }>>({
  role: fc.constant("system"),
  parts: fc.array(text, { minLength: 1, maxLength: 2 }),
  developer: maybe(fc.constant(true as const)),
  extra: maybe(extra),
});
const userSays = (...parts: fc.Arbitrary<UserPart>[]): fc.Arbitrary<Message> =>
  sparse<Extract<Message, { role: "user" }>>({
    role: fc.constant("user"),
    parts: fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 }),
    name: maybe(fc.constant("ann")),
    extra: maybe(extra),
  });
export const user = userSays(text, text, media, unknownPart);
export const firstUser = fc
  .tuple(text, user)
  .map(([said, message]) => ({ ...message, parts: [said, ...message.parts] }) as Message);

/** A turn of the model, and the answers to its calls. Ids are given afterwards. */
export const step: fc.Arbitrary<Message[]> = fc
  .record({
    thoughts: thoughts("msgstyle", "genstyle", "responses", "chatstyle", "conversestyle"),
    said: fc.array(fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: unknownPart }), {
      maxLength: 2,
    }),
    calls: fc.array(
      sparse<CallPart>({
        type: fc.constant("call"),
        id: fc.constant(""),
        name: fc.constantFrom(...toolNames),
        arguments: callArguments,
        seal: maybe(sealed("genstyle")),
        cache: maybe(fc.constant({})),
      }),
      { maxLength: 3 },
    ),
    name: maybe(fc.constant("bot")),
  })
  .filter(({ said, calls }) => calls.length > 0 || said.some((part) => part.type === "text"))
  .chain(({ thoughts: thought, said, calls, name }) => {
    const turn: AssistantMessage = { role: "assistant", parts: [...thought, ...said, ...calls] };
    if (name) turn.name = name;
    if (calls.length === 0) return user.map((next) => [turn, next]);
    return fc
      .tuple(...calls.map(result))
      .map((results): Message[] => [turn, { role: "user", parts: results }]);
  });

/** Each message fields of its own. */
export const tellApart = (messages: Message[]): Message[] =>
  messages.map((message, i): Message => {
    if (!message.extra) return message;
    const fields = Object.entries(message.extra.fields).map(([name, value]) => [`${name}_${i}`, value]);
    return { ...message, extra: { ...message.extra, fields: Object.fromEntries(fields) } };
  });

/** Each call an id of its own, its result the same. */
export function identify(steps: Message[][]): Message[] {
  let count = 0;
  return steps.flatMap((messages) => {
    const start = count;
    return messages.map((message): Message => {
      let at = start;
      const parts = message.parts.map((part) =>
        part.type === "call" || part.type === "result" ? { ...part, id: `call_${at++}` } : part,
      );
      count = Math.max(count, at);
      return { ...message, parts } as Message;
    });
  });
}
