import { createServer, type Server } from "node:http";
import { textOf, toObject, toText } from "@manifold-gateway/core/codec";
import { burst } from "./body.ts";
import { schema } from "./schema.ts";

/** A provider of the wire: says the last text again, whole or as a stream. */
export const createProvider = (): Server =>
  createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const read = schema.safeParse(JSON.parse(Buffer.concat(parts).toString()));
    const json = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url !== "/v1/chat") return json(404, { message: "There is no such path." });
    if (request.headers.authorization !== "Bearer s3cret") return json(401, { message: "The key is wrong." });
    if (!read.success) return json(400, { message: read.error.issues[0]?.message });
    const { messages, stream } = read.data;
    const text = `You said: ${toText(textOf(messages.at(-1)?.content) ?? toObject(messages.at(-1)?.content).text)}`;
    const body = {
      id: "reply-1",
      message: { role: "assistant", content: [{ type: "text", text }] },
      finish_reason: "COMPLETE",
      usage: { tokens: { input_tokens: 10, output_tokens: 5 } },
    };
    if (!stream) return json(200, body);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of burst(body))
      response.write(`event: ${toText(toObject(chunk).type)}\ndata: ${JSON.stringify(chunk)}\n\n`);
    response.end();
  });
