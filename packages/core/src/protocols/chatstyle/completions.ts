import { type Codec, joinHalves } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { chain, each } from "../../codec/machine.ts";
import { readParams } from "../../codec/params.ts";
import type { ProviderCodec } from "../../codec/provider-codec.ts";
import type { TextRequest } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { any, array, boolean, type Infer, nullish, object, string, union } from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { billing } from "./billing.ts";
import { caller } from "./caller.ts";
import { decodeReply } from "./decode-reply.ts";
import { params } from "./params.ts";
import { provider } from "./provider.ts";
import type { Body, Chunk } from "./schema.ts";
import { summarize } from "./summary.ts";

const request = object({
  model: string({ min: 1 }),
  prompt: nullish(union([string(), array(any())])),
  suffix: nullish(string()),
  stream: nullish(boolean()),
});
type Wire = Infer<typeof request>;
const schema = validator(request);

/** Chunks of text as those of a chat: what is read of a reply is the same. */
const toChat = (chunk: Json): Json =>
  isObject(chunk) && Array.isArray(chunk.choices)
    ? { ...chunk, choices: toArray(chunk.choices).map(toDelta) }
    : chunk;

function toDelta(json: Json): Json {
  const { text, ...choice } = toObject(json);
  return typeof text === "string" ? { ...choice, delta: { content: text } } : json;
}

/** Reads a request as a chat of one message, for the checks that every request goes through. */
function decodeRequest(wire: Wire): TextRequest {
  const record = wire as JsonObject;
  const texts = [record.prompt, record.suffix].flatMap((value) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((one) => toText(one)),
  );
  const parts = texts.filter((text) => text !== "").map((text) => ({ type: "text" as const, text }));
  return {
    model: wire.model,
    stream: wire.stream === true,
    messages: [{ role: "user", parts }],
    params: readParams(params, record),
  };
}

const encodeRequest = ({ model, stream, messages }: TextRequest): Wire => ({
  model,
  stream,
  prompt: messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
    .join(""),
});

/**
 * A wire that goes on with a text, or fills the gap before its suffix: the chat family's older sister. It is only passed
 * through to providers that have the endpoint, so nothing is written in it but what it was read from.
 */
function completing(path: string): Codec<Wire, Chunk, Body> {
  const variant: ProviderCodec<Wire> = {
    ...provider,
    billing: { ...billing, members: [...billing.members, "echo", "prompt", "suffix"] },
    endpoint: () => path,
    request: { encode: encodeRequest },
    reply: {
      ...provider.reply,
      decode: () =>
        chain(
          each((chunk: Json) => [toChat(chunk)]),
          decodeReply(),
        ),
      summary: (body) => summarize(toChat(body)),
      burst: (body) => provider.reply.burst(toChat(body)),
      content: [...provider.reply.content, "text"],
    },
  };
  const unfetched = defineUnfetched(["prompt", "suffix"], ["metadata"], params);
  return joinHalves({ ...caller, unfetched, request: { schema, decode: decodeRequest }, variant }, variant);
}

/** The endpoint that continues a text: `prompt`, and for some models `suffix`. */
export const completions = /* @__PURE__ */ completing("/completions");
/** The endpoint that fills the gap between a `prompt` and a `suffix`. */
export const fillInTheMiddle = /* @__PURE__ */ completing("/fim/completions");
