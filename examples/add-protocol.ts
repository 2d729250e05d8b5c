/**
 * A new protocol in one file. The toy wire below has turns of text and a reply of text: small enough to read at
 * once, complete enough to stand beside the real ones. Because a codec only knows its own wire and the canonical
 * form, writing it once makes it translatable to and from every other protocol; what it cannot say becomes a
 * loss. `sixth-protocol/` has one with tools, fixtures and laws, and serves it.
 */
import assert from "node:assert/strict";
import {
  type Codec,
  chatstyle,
  type Protocol,
  translateBody,
  translateRequest,
} from "@manifold-gateway/core";
import {
  compact,
  type Json,
  type JsonObject,
  kindOfStatus,
  type Lose,
  type Machine,
  type ParamTable,
  paramFields,
  paramShape,
  readParams,
  rest,
  run,
  textOf,
  toArray,
  toObject,
  toText,
  truncated,
  writeParams,
} from "@manifold-gateway/core/codec";
import { type Event, fold, type Message, toCount, unfold } from "@manifold-gateway/core/ir";
import { array, type Infer, object, oneOf, string, validator } from "@manifold-gateway/core/schema";

const protocol = "toy" as string as Protocol;

// A scalar is a row that is checked, read and written.
const params = [
  { name: "maxTokens", wire: "limit" },
  { name: "temperature", wire: "heat" },
] as const satisfies ParamTable;

// Request: { model, stream?, turns: [{ by, says }], limit?, heat? }
const shape = object({
  model: string(),
  turns: array(object({ by: oneOf("system", "user", "assistant"), says: string() })),
  ...paramShape(params),
});
type Wire = Infer<typeof shape>;
const schema = validator(shape);
const known = new Set(["model", "stream", "turns", ...paramFields(params)]);

const toMessage = (turn: Wire["turns"][number]): Message => ({
  role: turn.by,
  parts: [{ type: "text", text: turn.says }],
});

function toTurn(message: Message, i: number, lose: Lose): Wire["turns"][number] {
  const texts: string[] = [];
  for (const [j, part] of message.parts.entries()) {
    if (part.type === "text") texts.push(part.text);
    else lose(`/messages/${i}/parts/${j}`, "unsupported", `${part.type} is not text`);
  }
  return { by: message.role, says: texts.join("\n") };
}

// Reply: chunks { says } and a last { end, tokens: [input, output] }, or { error }.
function decode(): Machine<Json, Event> {
  let started = false;
  let open = false;
  let ended = false;
  return {
    step(value) {
      const { says, end, tokens, error } = toObject(value);
      const events: Event[] = started ? [] : [{ type: "start" }];
      started = true;
      if (typeof says === "string") {
        if (!open) events.push({ type: "open", index: 0, part: { type: "text" } });
        open = true;
        events.push({ type: "delta", index: 0, text: says });
      }
      if (end === undefined && error === undefined) return events;
      ended = true;
      if (open) events.push({ type: "close", index: 0 });
      if (error !== undefined)
        return [...events, { type: "failure", failure: { ...truncated, message: toText(error) } }];
      const [input, output] = toArray(tokens);
      events.push({ type: "finish", reason: end === "limit" ? "length" : "stop" });
      events.push({ type: "usage", usage: { input: toCount(input) ?? 0, output: toCount(output) ?? 0 } });
      return events;
    },
    end: () => (ended ? [] : [{ type: "failure", failure: truncated }]),
  };
}

function encode(lose: Lose): Machine<Event, JsonObject> {
  const texts = new Set<number>();
  let end = "done";
  let tokens: Json[] = [0, 0];
  let failed = false;
  return {
    step(event) {
      if (event.type === "open" && event.part.type === "text") texts.add(event.index);
      else if (event.type === "open")
        lose(`/parts/${event.index}`, "unsupported", `${event.part.type} is not text`);
      else if (event.type === "delta" && texts.has(event.index)) return [{ says: event.text }];
      else if (event.type === "finish" && event.reason === "length") end = "limit";
      else if (event.type === "usage") tokens = [event.usage?.input ?? 0, event.usage?.output ?? 0];
      else if (event.type === "failure") {
        failed = true;
        return [{ error: event.failure.message }];
      }
      return [];
    },
    end: () => (failed ? [] : [{ end, tokens }]),
  };
}

export const toy: Codec<Wire, JsonObject, JsonObject> = {
  protocol,
  params,
  // Nothing that it says is billed beside tokens.
  billing: {
    members: ["model", "turns", "limit", "stream"],
    limits: [["limit"]],
    alternatives: [],
    modes: {},
    tools: [],
    ids: [],
    billed: () => undefined,
  },
  // Shared code learns from these where the turns of the wire stand; it has no files, tools or seals.
  facts: {
    letter: "t",
    system: [],
    turns: ["turns"],
    bound: [],
    files: {},
    mediaTypes: [],
    pictures: [],
    toolData: [],
    toolValues: {},
    essential: [],
    spellings: {},
  },
  unfetched: { texts: new Set(["model", "says"]), data: new Set() },
  names: { pattern: /^\w+$/, max: 64 },
  ids: { pattern: /^\w+$/, max: 64 },
  freeform: false,
  endpoint: (model, stream) => `/talk/${model}${stream ? "?stream=1" : ""}`,
  request: {
    schema,
    decode(wire) {
      const fields = rest(wire as JsonObject, known);
      return {
        model: wire.model,
        stream: wire.stream === true,
        messages: wire.turns.map(toMessage),
        params: readParams(params, wire as JsonObject),
        ...(fields && { extra: { protocol, fields } }),
      };
    },
    encode(request, lose) {
      const own = request.extra?.protocol === protocol ? request.extra.fields : {};
      const wire: JsonObject = { ...own, model: request.model, stream: request.stream };
      writeParams(params, request.params, wire, lose);
      for (const i of (request.tools ?? []).keys()) lose(`/tools/${i}`, "unsupported", "there are no tools");
      return { ...wire, turns: request.messages.map((message, i) => toTurn(message, i, lose)) } as Wire;
    },
  },
  reply: {
    decode,
    encode: (_head, lose) => encode(lose),
    burst(body) {
      const { says, ...last } = toObject(body);
      return says === undefined ? [last] : [{ says }, last];
    },
    gather(chunks) {
      const body: JsonObject = {};
      for (const { says, ...others } of chunks) {
        if (typeof says === "string") body.says = toText(body.says) + says;
        Object.assign(body, others);
      }
      return body;
    },
    marks: ['"end"', '"error"'],
    content: ["says"],
  },
  frame: { last: (chunk) => "end" in toObject(chunk) || "error" in toObject(chunk) },
  failure: {
    decode: (status, body) => ({
      kind: kindOfStatus(status),
      status,
      message: textOf(toObject(body).error) ?? "The provider gave no reason.",
    }),
    encode: ({ status, message }) => ({ status, body: { error: message } }),
  },
};

// To another protocol and back.
const asked = {
  model: "m",
  stream: false,
  turns: [
    { by: "system" as const, says: "Be brief." },
    { by: "user" as const, says: "Hello" },
  ],
  limit: 64,
  heat: 0,
};
schema.parse(asked);
const there = translateRequest(asked, { from: toy, to: chatstyle });
assert.deepEqual(there.losses, []);
const back = translateRequest(there.wire, { from: chatstyle, to: toy });
assert.deepEqual(back.losses, []);
assert.deepEqual(compact({ ...back.wire }), asked);
console.log("toy to chat:", JSON.stringify(there.wire));

// What the toy cannot say is told. Without a picture the answer would be to another request, so that one is rejected.
const picture = { type: "image_url", image_url: { url: "https://images.example/cat.png" } };
const chatted = (...content: JsonObject[]) => ({
  model: "m",
  messages: [{ role: "user", content }],
  seed: 1,
});
const { losses } = translateRequest(chatted({ type: "text", text: "Look" }), { from: chatstyle, to: toy });
console.log("losses:", JSON.stringify(losses));
assert.deepEqual(
  losses.map((loss) => loss.path),
  ["/seed"],
);
assert.throws(
  () => translateRequest(chatted(picture), { from: chatstyle, to: toy }),
  /does not accept image by url/,
);

// Replies: the laws of a codec, then a body to the other wire and back.
const answer = { says: "Hi there", end: "limit", tokens: [9, 2] };
const head = { id: "1", model: "m", created: 0 };
assert.deepEqual(toy.reply.gather(toy.reply.burst(answer) as JsonObject[]), answer);
const reply = fold(run(toy.reply.decode(), toy.reply.burst(answer)));
assert.deepEqual(
  fold(run(toy.reply.decode(), run(toy.reply.encode(head, assert.fail), unfold(reply)))),
  reply,
);
assert.deepEqual(fold(run(toy.reply.decode(), [{ says: "Hi" }])).failure, truncated);
const chat = translateBody(answer, { from: toy, to: chatstyle, head }).body;
console.log("toy reply to chat:", JSON.stringify(chat));
assert.deepEqual(translateBody(chat, { from: chatstyle, to: toy, head }).body, answer);
