import { type Loss, protocols } from "@manifold-gateway/core";
import { Rejection, readBody } from "@manifold-gateway/core/plan";
import { likelyProtocol, wireOf } from "@manifold-gateway/core/wire";
import { createFetchTransport, UpstreamFault } from "@manifold-gateway/providers";
import { createLearntTraits } from "@manifold-gateway/providers/routing";
import { HookError, type Hooks, withHooks } from "./handler/hooks.ts";
import { createEntries } from "./models/entries.ts";
import type { AnyOptions, CallEvent, LossEvent } from "./options.ts";
import { createProviderTable } from "./providers/provider-table.ts";
import { runtimeFetch } from "./providers/runtime-fetch.ts";
import { ClientRefusal, failureResponse } from "./reply/failure.ts";
import { answerText } from "./text/answer-text.ts";
import { callText, type TextRequestCall, type TextServices } from "./text/call-text.ts";

/** What the maker of a call sees of it beside its answer, and may change. */
export interface Watch {
  hooks?: Hooks | undefined;
  onLoss?(event: LossEvent): void;
  /** Gets the errors of hooks, and defects; the caller gets status 500 without their words. */
  onError?(error: unknown): void;
}

/** Answers calls by calling providers. Its promises reject only for calls that are aborted. */
export interface Client {
  /** Answers the request of an SDK. */
  request(request: Request, watch?: Watch): Promise<Response>;
  /** Answers a call that is read already. */
  text(call: TextRequestCall, watch?: Watch): Promise<Response>;
}

/** The inner functions of `createFetch`, `createHandler` and `createManifold`. */
export function createClient(options: AnyOptions): Client {
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

  async function generate(read: TextRequestCall, watch: Watch): Promise<Response> {
    const call = watch.hooks
      ? await withHooks(read, watch.hooks, (error) => quietly(() => watch.onError?.(error)))
      : read;
    const answer = await callText(call, services);
    const about: CallEvent = {
      model: call.model,
      provider: answer.candidate.provider.id,
      requestId: call.id,
    };
    const report = (of: LossEvent["of"], losses: readonly Loss[]): void => {
      for (const loss of losses)
        for (const { onLoss } of [options, watch]) quietly(() => onLoss?.({ ...about, ...loss, of }));
    };
    report("request", answer.plan.losses);
    return answerText(call, answer, {
      end({ usage }, losses) {
        report("reply", losses);
        if (usage) quietly(() => options.onUsage?.({ ...about, usage }));
      },
    });
  }

  return {
    text: (call, watch = {}) => guarded(call, watch, () => generate(call, watch)),
    async request(request, watch = {}) {
      const { signal, headers } = request;
      const { pathname, search } = new URL(request.url);
      signal.throwIfAborted();
      const pending: Pending = {
        id: crypto.randomUUID(),
        codec: protocols.codecs[likelyProtocol(pathname, headers)],
        signal,
      };
      return guarded(pending, watch, async () => {
        const text = await request.text();
        const plain = wireOf(request.method, pathname + search, headers);
        if (plain?.operation !== "text")
          throw new ClientRefusal(
            404,
            "path_not_found",
            `${request.method} ${pathname}: there is no such endpoint; there are …/chat/completions, …/responses, …/messages, …/models/{model}:generateContent and :streamGenerateContent.`,
          );
        pending.codec = protocols.codecs[plain.protocol];
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
        return generate({ ...pending, wire, body, model, header }, watch);
      });
    },
  };
}

/** What is known of a call before its body is read. */
type Pending = Pick<TextRequestCall, "id" | "codec" | "signal">;

/** Runs a call; its errors become answers in the form of the caller's protocol. */
async function guarded(
  call: Pending,
  { onError }: Pick<Watch, "onError">,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    const { id, codec, signal } = call;
    if (signal.aborted) throw signal.reason;
    if (error instanceof ClientRefusal) return failureResponse(codec, error.failure(), id);
    const stop = { "x-should-retry": "false" };
    if (error instanceof UpstreamFault) {
      const failure = { kind: "unavailable", status: 502, code: "provider_failed" } as const;
      return failureResponse(codec, { ...failure, message: error.message }, id, stop);
    }
    const isHook = error instanceof HookError;
    if (!isHook) quietly(() => onError?.(error));
    const message = isHook ? error.message : "The client failed unexpectedly.";
    const failure = { kind: "server", status: 500, code: isHook ? "hook_failed" : "internal" } as const;
    return failureResponse(codec, { ...failure, message }, id, stop);
  }
}

/** Calls a callback, whose errors do not reach the answer. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The answer does not depend on who watches it.
  }
}
