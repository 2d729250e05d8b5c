import type { Loss, TextRequest } from "@manifold-gateway/core";
import type { Json, JsonObject, Traits } from "@manifold-gateway/core/codec";
import type { Message } from "@manifold-gateway/core/ir";
import { collectLosses } from "../../../packages/core/src/ir/loss.ts";
import { genstyle } from "../../../packages/core/src/protocols/genstyle/index.ts";

export const { request, reply, failure } = genstyle;

export const user = (...parts: JsonObject[]): JsonObject => ({ role: "user", parts });
export const model = (...parts: JsonObject[]): JsonObject => ({ role: "model", parts });
export const call = (name: string, args: JsonObject = {}, id?: string): JsonObject => ({
  functionCall: { ...(id !== undefined && { id }), name, args },
});
export const result = (name: string, response: JsonObject, id?: string): JsonObject => ({
  functionResponse: { ...(id !== undefined && { id }), name, response },
});

/** A wire request as the gateway reads it. */
export const decode = (wire: JsonObject): TextRequest => request.decode(request.schema.parse(wire));
export const messagesOf = (...contents: Json[]): Message[] => decode({ contents }).messages;
export const partsOf = (...contents: Json[]) =>
  messagesOf(...contents).flatMap(({ parts }) => parts as object[]);

export const asked = (messages: Message[], more: Partial<TextRequest> = {}): TextRequest => ({
  model: "m",
  stream: false,
  messages,
  params: {},
  ...more,
});
export const hello: Message = { role: "user", parts: [{ type: "text", text: "Hello." }] };

interface Contents extends JsonObject {
  contents: { role: string; parts: JsonObject[] }[];
  generationConfig: JsonObject;
  tools: JsonObject[];
}

/** A request on the wire, and what was lost. */
export function encode(what: TextRequest, traits: Traits = {}): { wire: Contents; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  return { wire: request.encode(what, lose, traits) as unknown as Contents, losses };
}
