import type { AnyCaller, Protocol } from "@manifold-gateway/core";
import { likelyProtocol, type Operation, wireOf } from "@manifold-gateway/core/wire";
import { createFetchTransport } from "@manifold-gateway/providers";
import { createCredentialPool, createLearntTraits } from "@manifold-gateway/providers/routing";
import { type Hooks, withHooks } from "./handler/hooks.ts";
import { createEntries } from "./models/entries.ts";
import type { AnyOptions, LossEvent } from "./options.ts";
import type { Codecs } from "./protocols/codecs.ts";
import { createProviderTable, type PresetSource } from "./providers/provider-table.ts";
import { runtimeFetch } from "./providers/runtime-fetch.ts";
import { variablesOf } from "./providers/variables.ts";
import { ClientRefusal, errorResponse } from "./reply/failure.ts";
import { createReports, quietly, type Report } from "./report.ts";
import { type Incoming, readIncoming } from "./request/incoming.ts";
import type { Services } from "./services.ts";
import { generateText } from "./text/text.ts";

/** What the maker of a call sees of it beside its answer, and may change. */
export interface Watch {
  hooks?: Hooks | undefined;
  /** Gets every loss of the call. */
  onLoss?(event: LossEvent): void;
  /** Gets the errors of hooks, and defects; the caller gets status 500 without their words. */
  onError?(error: unknown): void;
}

/** Answers calls by calling providers. Its promises reject only for calls that are aborted. */
export interface Client {
  /** Answers the request of an SDK. */
  request(request: Request, watch?: Watch): Promise<Response>;
  /** Answers a call for text that is read already. */
  text(call: Incoming, watch?: Watch): Promise<Response>;
}

/** Serves the requests of one operation. */
type Serve = (incoming: Incoming, services: Services, report: Report) => Promise<Response>;

/** The operations that a client serves, loaded when they are used first. */
const operations: Partial<Record<Operation, () => Serve | Promise<Serve>>> = {
  text: () => generateText,
};

/** The longest pause of a key after a 429, in milliseconds. */
const MAX_COOLDOWN = 60_000;

function servicesOf(options: AnyOptions, codecs: Codecs, presets: PresetSource): Services {
  const { firstByte = 600_000, idle = 60_000 } = options.timeouts ?? {};
  const { attempts = 3, ambiguous = false, wait = 0 } = options.retry ?? {};
  const providers = createProviderTable(options.providers ?? {}, presets, variablesOf(options.env));
  return {
    options,
    entries: createEntries(options.models ?? {}, providers.has),
    providers,
    codecs,
    learnt: createLearntTraits(Date.now),
    transport: createFetchTransport({ firstByte, idle, fetch: options.fetch ?? runtimeFetch }),
    routing: {
      credentials: createCredentialPool({ maxCooldown: MAX_COOLDOWN }, Date.now),
      maxAttempts: attempts,
      retryAmbiguousFailures: ambiguous,
      maxRetryAfterWait: wait,
    },
  };
}

/** The functions inside `createFetch`, `createHandler` and `createManifold`. */
export function createClient(options: AnyOptions, codecs: Codecs, presets: PresetSource): Client {
  const services = servicesOf(options, codecs, presets);
  const reports = createReports(options);

  async function serve(read: Incoming, watch: Watch): Promise<Response> {
    const load = operations[read.wire.operation];
    if (!load) throw new Error(`there is no operation ${read.wire.operation}`);
    const run = await load();
    const { hooks } = watch;
    const incoming =
      hooks && read.wire.operation === "text"
        ? await withHooks(read, hooks, (error) => quietly(() => watch.onError?.(error)))
        : read;
    return run(incoming, services, reports(incoming.model, incoming.id, watch.onLoss));
  }

  return {
    text: (call, watch = {}) => guarded(call, watch, () => serve(call, watch)),
    async request(request, watch = {}) {
      const { headers, method, signal, url } = request;
      signal.throwIfAborted();
      const wire = wireOf(method, url, headers);
      const codec = await callerFor(wire?.protocol ?? likelyProtocol(url, headers), codecs);
      const id = crypto.randomUUID();
      return guarded({ id, codec, signal }, watch, async () => {
        if (!wire || !operations[wire.operation] || wire.protocol !== codec.protocol)
          throw noEndpoint(request);
        return serve(await readIncoming(request, codec, id), watch);
      });
    },
  };
}

/** The codec for a caller's protocol, or for its errors another one that the client has. */
async function callerFor(protocol: Protocol, codecs: Codecs): Promise<AnyCaller> {
  const codec = (await codecs.caller(protocol)) ?? (await codecs.caller("chatstyle"));
  if (!codec) throw new Error(`The client is made without the protocol '${protocol}'.`);
  return codec;
}

const noEndpoint = ({ method, url }: Request): ClientRefusal =>
  new ClientRefusal(
    404,
    "path_not_found",
    `${method} ${new URL(url).pathname}: there is no such endpoint; there are POST …/chat/completions, …/responses, …/messages, …/models/{model}:generateContent and …/models/{model}:streamGenerateContent.`,
  );

/**
 * The answer of a call, whose errors become answers in the caller's protocol. It rejects with the signal's reason as
 * soon as that aborts.
 */
function guarded(
  { id, codec, signal }: Pick<Incoming, "id" | "codec" | "signal">,
  { onError }: Pick<Watch, "onError">,
  run: () => Promise<Response>,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    run()
      .catch((error: unknown) => errorResponse(codec, error, id, onError))
      .then((response) => (signal.aborted ? abort() : resolve(response)), reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
