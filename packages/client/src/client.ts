import { type AnyCodec, type Loss, protocols } from "@manifold-gateway/core";
import { Rejection, readBody } from "@manifold-gateway/core/plan";
import { likelyProtocol, wireOf } from "@manifold-gateway/core/wire";
import { createFetchTransport, UpstreamFault } from "@manifold-gateway/providers";
import { createLearntTraits } from "@manifold-gateway/providers/routing";
import { createEntries } from "./models/entries.ts";
import type { AnyOptions, CallEvent, LossEvent } from "./options.ts";
import { createProviderTable } from "./providers/provider-table.ts";
import { runtimeFetch } from "./providers/runtime-fetch.ts";
import { ClientRefusal, failureResponse } from "./reply/failure.ts";
import { answerText } from "./text/answer-text.ts";
import { callText, type TextServices } from "./text/call-text.ts";

/** Answers the requests of SDKs by calling providers. Rejects only for requests that are aborted. */
export type Call = (request: Request) => Promise<Response>;

/** The inner function of `createFetch`. */
export function createCall(options: AnyOptions): Call {
  const { firstByte = 600_000, idle = 60_000 } = options.timeouts ?? {};
  const providers = createProviderTable(options);
  const services: TextServices = {
    options,
    entries: createEntries(options.models ?? {}, providers.has),
    providers,
    protocols,
    learnt: createLearntTraits(Date.now),
    transport: createFetchTransport({ firstByte, idle, fetch: options.fetch ?? runtimeFetch }),
  };
  return async (request) => {
    const id = crypto.randomUUID();
    const { pathname, search } = new URL(request.url);
    const { signal, headers } = request;
    signal.throwIfAborted();
    let codec: AnyCodec = protocols.codecs[likelyProtocol(pathname, headers)];
    try {
      const text = await request.text();
      const plain = wireOf(request.method, pathname + search, headers);
      if (plain?.operation !== "text")
        throw new ClientRefusal(
          404,
          "path_not_found",
          `${request.method} ${pathname}: there is no such endpoint; there are …/chat/completions, …/responses, …/messages, …/models/{model}:generateContent and :streamGenerateContent.`,
        );
      codec = protocols.codecs[plain.protocol];
      const body = readBody(text);
      if (body instanceof Rejection) throw new ClientRefusal(400, body.code, body.message, body.param);
      const wire = wireOf(request.method, pathname + search, headers, body.value) ?? plain;
      const { model } = wire;
      if (model === undefined)
        throw new ClientRefusal(
          400,
          "invalid_request",
          "model: is required, as 'provider/name' or an alias of `models`.",
          "model",
        );
      const header = (name: string): string | undefined => headers.get(name) ?? undefined;
      const call = { id, wire, codec, body, model, header, signal };
      const answer = await callText(call, services);
      const about: CallEvent = { model, provider: answer.candidate.provider.id, requestId: id };
      report(options, about, "request", answer.plan.losses);
      return await answerText(call, answer, {
        end({ usage }, losses) {
          report(options, about, "reply", losses);
          if (usage) quietly(() => options.onUsage?.({ ...about, usage }));
        },
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof ClientRefusal) return failureResponse(codec, error.failure(), id);
      const message = error instanceof UpstreamFault ? error.message : "The client failed unexpectedly.";
      const isFault = error instanceof UpstreamFault;
      return failureResponse(
        codec,
        {
          kind: isFault ? "unavailable" : "server",
          status: isFault ? 502 : 500,
          message,
          code: isFault ? "provider_failed" : "internal",
        },
        id,
        { "x-should-retry": "false" },
      );
    }
  };
}

function report(options: AnyOptions, about: CallEvent, of: LossEvent["of"], losses: readonly Loss[]): void {
  for (const loss of losses) quietly(() => options.onLoss?.({ ...about, ...loss, of }));
}

/** Calls a callback, whose errors do not reach the answer. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The answer does not depend on who watches it.
  }
}
