import { endpoints, likelyProtocol, wireOf } from "@manifold-gateway/core/wire";
import { createFetchTransport } from "@manifold-gateway/providers/fetch-transport";
import { createCredentialPool, createLearntTraits } from "@manifold-gateway/providers/routing";
import { createEntries } from "./models/entries.ts";
import type { AnyOptions, LossEvent } from "./options.ts";
import type { Parts } from "./parts.ts";
import { createProviderTable } from "./providers/provider-table.ts";
import { runtimeFetch } from "./providers/runtime-fetch.ts";
import { variablesOf } from "./providers/variables.ts";
import { ClientRefusal, errorResponse } from "./reply/failure.ts";
import { createReports } from "./report.ts";
import { type Incoming, readIncoming } from "./request/incoming.ts";
import type { Services } from "./services.ts";

/** What `createHandler` and `createManifold` add to a call. */
export interface CallOptions {
  /** Changes the request after its body was read, or how it is decoded and its answer encoded. */
  prepare?: ((incoming: Incoming) => Promise<Incoming>) | undefined;
  /** Called for every loss. */
  onLoss?(event: LossEvent): void;
  /** Called for errors of hooks and for defects. The caller gets status 500 without their messages. */
  onError?(error: unknown): void;
}

/** Answers calls by calling providers. Its promises reject only for calls that are aborted. */
export interface Client {
  /** Answers the request of an SDK. */
  request(request: Request, options?: CallOptions): Promise<Response>;
  /** Answers a request whose body was read already. */
  call(incoming: Incoming, options?: CallOptions): Promise<Response>;
}

/** Keeps requests in memory for as long as their signals: Node passes no abort on to the signal of a request that is freed. */
const requestOf = new WeakMap<AbortSignal, Request>();

/** The longest pause of a key after a 429, in milliseconds. */
const MAX_COOLDOWN = 60_000;

function servicesOf(options: AnyOptions, { codecs, presets, check, adapt, pricing }: Parts): Services {
  const { firstByte = 600_000, idle = 60_000 } = options.timeouts ?? {};
  const { attempts = 3, ambiguous = false, wait = 0 } = options.retry ?? {};
  const providers = createProviderTable(options.providers ?? {}, presets, variablesOf(options.env));
  return {
    options,
    entries: createEntries(options.models ?? {}, providers.has, async (price) => {
      if (options.onUsage) (await pricing()).costOf({ input: 0, output: 0 }, price);
    }),
    providers,
    codecs,
    check,
    adapt,
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
export function createClient(options: AnyOptions, parts: Parts): Client {
  const services = servicesOf(options, parts);
  const { codecs, operations, readers = {} } = parts;
  const reports = createReports(options);

  async function serve(read: Incoming, callOptions: CallOptions): Promise<Response> {
    const load = operations[read.wire.operation];
    if (!load) throw new Error(`there is no operation ${read.wire.operation}`);
    const run = await load();
    const incoming = (await callOptions.prepare?.(read)) ?? read;
    // Callbacks are not awaited, so what they report is loaded before the call.
    const pricing = options.onUsage && (await parts.pricing());
    return run(
      incoming,
      services,
      reports(incoming.model, incoming.id, {
        onEveryLoss: callOptions.onLoss,
        onError: callOptions.onError,
        pricing,
      }),
    );
  }

  return {
    call: (incoming, callOptions = {}) =>
      withErrorAnswers(incoming, callOptions, () => serve(incoming, callOptions)),
    async request(request, callOptions = {}) {
      const { headers, method, signal, url } = request;
      signal.throwIfAborted();
      requestOf.set(signal, request);
      const wire = wireOf(method, url, headers);
      const protocol = wire?.protocol ?? likelyProtocol(url, headers);
      const codec = (await codecs.caller(protocol)) ?? (await codecs.any());
      const id = crypto.randomUUID();
      return withErrorAnswers({ id, codec, signal }, callOptions, async () => {
        if (!wire || !operations[wire.operation]) throw noEndpoint(request, operations);
        if (wire.protocol !== codec.protocol) throw noCaller(wire.protocol);
        // A body can be read only once; the caller is not to blame.
        if (request.bodyUsed)
          throw new TypeError("The request's body was read before: hand over a clone that is made earlier.");
        const read = (await readers[wire.operation]?.()) ?? readIncoming;
        return serve(await read(request, codec, id), callOptions);
      });
    },
  };
}

/** The refusal of an unknown path, or of one whose operation the client does not have. It lists the ends of paths. */
function noEndpoint({ method, url }: Request, operations: Parts["operations"]): ClientRefusal {
  const ends = endpoints
    .filter(({ operation }) => operations[operation] !== undefined)
    .map(({ end }) => `…${end}`);
  return new ClientRefusal(
    404,
    "path_not_found",
    `${method} ${new URL(url).pathname}: the client does not serve this path. It serves POST ${ends.join(", ")}.`,
  );
}

const noCaller = (protocol: string): ClientRefusal =>
  new ClientRefusal(
    404,
    "path_not_found",
    `The client is made without the protocol '${protocol}' of this path: pass it in the option \`callers\`.`,
  );

/**
 * The answer of a call, whose errors become answers in the caller's protocol. It rejects with the signal's reason as
 * soon as that aborts.
 */
function withErrorAnswers(
  { id, codec, signal }: Pick<Incoming, "id" | "codec" | "signal">,
  { onError }: Pick<CallOptions, "onError">,
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
