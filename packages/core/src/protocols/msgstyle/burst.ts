import { isObject, type Json, type JsonObject, toArray } from "../../json/json.ts";

/** The members of a body that the stream says at the end. */
const ending = ["stop_reason", "stop_sequence", "stop_details", "container"];

/** A unary body as chunks: each block whole in its start. A body without content is an error, or not a message. */
export function burst(body: Json): Json[] {
  if (!isObject(body) || body.type === "error") return [body];
  if (body.content === undefined) return body.error ? [body] : [];
  const { content } = body;
  const message = Array.isArray(content) ? { ...body, content: [] } : body;
  const delta: JsonObject = {};
  for (const name of ending) if (body[name] !== undefined) delta[name] = body[name];
  return [
    { type: "message_start", message },
    ...toArray(content).flatMap((block, index): Json[] => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta, ...(body.usage !== undefined && { usage: body.usage }) },
    { type: "message_stop" },
  ];
}
