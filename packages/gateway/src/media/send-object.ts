import { serveObject } from "@manifold-gateway/store";
import { pipeBody } from "../http/stream.ts";
import type { Answer, Context } from "../ports/context.ts";
import { fileRefusal } from "./job-answer.ts";
import { mediaOf } from "./media.ts";

/** Sends the bytes of a stored object, whole or in part, as the request asks for them. */
export async function sendObject(
  { exchange, services }: Context<"media">,
  key: string,
  presentation: { mediaType: string; filename?: string },
): Promise<Answer | undefined> {
  const request = { method: "GET", headers: { get: (name: string) => exchange.header(name) ?? null } };
  const answer = await serveObject(mediaOf(services).objects, key, request, presentation);
  if (!answer.ok) throw fileRefusal(answer);
  if (!answer.body) return { status: answer.status, headers: answer.headers };
  await pipeBody(exchange.sink, answer.status, answer.headers, answer.body);
  return undefined;
}
