import { type ObjectAnswer, serveObject } from "@manifold-gateway/store";
import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import { pipeBody } from "../http/stream.ts";
import type { Answer, Context } from "../ports/context.ts";
import { mediaOf } from "./media.ts";

/** Sends the bytes of a stored object, whole or in part, as the request asks for them. */
export async function sendObject(
  { exchange, services }: Context<"media">,
  key: string,
  presentation: { mediaType: string; filename?: string },
): Promise<Answer | undefined> {
  const request = { method: "GET", headers: headersOf(exchange) };
  return sendFile(exchange, await serveObject(mediaOf(services).objects, key, request, presentation));
}

/** The headers of a request, as the store reads them. */
export const headersOf = (exchange: Exchange) => ({
  get: (name: string) => exchange.header(name) ?? null,
});

/** Sends a file, or throws the store's reason why not. */
export async function sendFile({ sink }: Exchange, answer: ObjectAnswer): Promise<Answer | undefined> {
  const { status, headers } = answer;
  if (!answer.ok) {
    const code = status === 404 ? "file_not_found" : "file_refused";
    throw new Refusal(code, answer.message, { status, headers });
  }
  if (!answer.body) return { status, headers };
  await pipeBody(sink, status, headers, answer.body);
  return undefined;
}
