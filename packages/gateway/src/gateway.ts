import type { IncomingMessage } from "node:http";
import { protocols as libraryProtocols, type Protocols } from "@manifold-gateway/core";
import { createLineClient, createTransport } from "@manifold-gateway/providers";
import { storeAccess } from "./access/store-access.ts";
import { createKeyVault } from "./account/key-vault.ts";
import { cookieSessions, createSessions } from "./account/sessions.ts";
import { createBatches } from "./batches/batches.ts";
import { storeBilling } from "./billing/store-billing.ts";
import { checkOptions, withDefaults } from "./check-options.ts";
import { createCallerAddress } from "./http/caller-address.ts";
import { createCors } from "./http/cors.ts";
import { momentOf } from "./http/moments.ts";
import { credentialFinder } from "./http/unauthenticated.ts";
import { asksForSocket, upgradeResponse } from "./http/upgrade.ts";
import { systemClock } from "./jobs/clock.ts";
import { createBodyMemory } from "./limits/body-memory.ts";
import { defaultHoldFigures, defaultLimits } from "./limits/defaults.ts";
import { createKeyLimits } from "./limits/key-limits.ts";
import { createParseQueue } from "./limits/parse-queue.ts";
import { createSockets } from "./limits/sockets.ts";
import { createStreams } from "./limits/streams.ts";
import { createRates } from "./limits/token-bucket.ts";
import { createUrlJudge } from "./media/address.ts";
import { createMedia } from "./media/create.ts";
import { combineObservers } from "./observe/combine.ts";
import { createEvents } from "./observe/events.ts";
import { createRefusalLog } from "./observe/refusals.ts";
import { optionRules, webhookRules } from "./option-rules.ts";
import type { Gateway, GatewayOptions } from "./options.ts";
import type { Log } from "./ports/log.ts";
import type { Services } from "./ports/services.ts";
import { countRunning } from "./request/count-running.ts";
import { mount } from "./request/mount.ts";
import { timeOrderedId } from "./request/time-ordered-id.ts";
import { createRouting } from "./routing/routing.ts";
import { batchedIn, explainedIn, socketPathsOf, surfaces, surfacesWith } from "./surfaces/all.ts";
import { circuitOpened } from "./webhooks/circuit.ts";
import { alertsFor } from "./webhooks/endpoint.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/** The path of a request without the slash that the router ignores at its end. */
const pathOf = ({ url = "" }: IncomingMessage): string => (url.split("?", 1)[0] as string).replace(/\/$/, "");

const silent: Log = { info() {}, warn() {}, error() {} };

const byId = (providers: GatewayOptions["providers"]): Services["providers"] =>
  "get" in providers ? providers : new Map(providers.map((provider) => [provider.id, provider]));

/** The service's public address without a slash at its end. */
const baseOf = (base: GatewayOptions["base"]): Services["base"] =>
  base === undefined
    ? undefined
    : () => (typeof base === "string" ? base : base()).replace(/(?<!\/)\/+$/, "");

/** Throws for a surface or a provider whose protocol the gateway lacks. */
function requireProtocols(
  { codecs }: Protocols,
  { surfaces = [] }: GatewayOptions,
  providers: Services["providers"],
): void {
  for (const { name, codec } of surfaces)
    if (codec && !(codec.protocol in codecs))
      throw new Error(`The surface '${name}' has the protocol '${codec.protocol}', which 'protocols' lacks.`);
  for (const { id, speaks } of providers.values())
    for (const protocol of Object.keys(speaks))
      if (!(protocol in codecs))
        throw new Error(`The provider '${id}' speaks '${protocol}', which 'protocols' lacks.`);
}

/** Logs that a provider denies one of its credentials, or accepts it again. */
const logCredential =
  (log: Log): Parameters<typeof createRouting>[3] =>
  (provider, { name }, { state, status, until }) => {
    const fields = { provider, credential: name, status };
    if (state === "ready") log.info(fields, "provider credential accepted again");
    else log.error({ ...fields, until: until && momentOf(until) }, "provider credential denied");
  };

/**
 * Composes the surfaces over a store, a catalog and providers; mount it in any server. Throws a `TypeError` that names
 * the options that are wrong.
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkOptions("createGateway", optionRules, options);
  const { store, catalog, admission = "threshold", log = silent, now = Date.now } = options;
  const { protocols = libraryProtocols } = options;
  const providers = byId(options.providers);
  requireProtocols(protocols, options, providers);
  const sessions = options.sessions && createSessions(options.sessions, now);
  const cookies = options.sessions && cookieSessions(options.sessions, now);
  const keyVault = createKeyVault(options.keyEncryptionSecrets ?? []);
  const callerAddress = createCallerAddress(options.trustProxy);
  const limits = withDefaults(defaultLimits, options.limits);
  const transport = options.transport ?? createTransport();
  const steady = options.steady ?? (() => performance.now());
  const events = createEvents(now, steady);
  const webhooks = createWebhooks({
    ...{ store, transport, log },
    endpoints: options.webhooks ?? [],
    observer: { delivered: (delivery) => services.observer?.delivered?.(delivery) },
    clock: { ...systemClock, now },
  });
  const routing = createRouting(
    options.routing ?? {},
    now,
    (id, state, account) => {
      events.circuit(id, state, account);
      if (state === "open" && account === undefined) webhooks.add(circuitOpened(catalog, id, now()));
    },
    logCredential(log),
  );
  webhooks.start();
  const media =
    options.media &&
    createMedia(options.media, {
      store,
      providers,
      transport,
      policy: admission,
      health: routing.breakers,
      credentials: routing.credentials,
      log,
      now,
      observer: {
        started: () => undefined,
        stepped: (job) => services.observer?.stepped?.(job),
      },
    });
  const all = options.surfaces ? surfacesWith(options.surfaces) : surfaces;
  const batched = batchedIn(all);
  // Lines are run by the keys and the ledger of the store.
  const batches =
    media && !options.access && !options.billing
      ? createBatches({
          ...{ store, log, now, surfaces: batched, policy: admission, objects: media.objects },
          ...{ providers, transport },
          limits: options.media?.batches,
          send: async (request, exchanged) => batchApp.fetch(request, { ...services, ...exchanged }),
        })
      : undefined;
  let leaving = false;
  let stopping = false;
  const requests = countRunning();
  const services: Services = {
    protocols,
    catalog,
    wholeCatalog: catalog,
    providers,
    transport,
    client: createLineClient(transport),
    store,
    access:
      options.access ??
      storeAccess(store, {
        now,
        sessions,
        cookies,
        ...(options.console?.insecureCookies && { insecureCookies: true }),
        adminKeys: { ...options.adminKeys, ...(options.adminKey && { operator: options.adminKey }) },
      }),
    sessions,
    cookies,
    console: options.console,
    keyVault,
    keyDefaults: (accountId) => options.keyDefaults?.(accountId),
    faultOfUrl: createUrlJudge(options.media?.allow),
    media,
    batches,
    base: baseOf(options.base),
    addressOf: (exchange) => callerAddress(exchange.address, exchange.header("x-forwarded-for")),
    answers: options.answers,
    guards: options.guards ?? [],
    billing: options.billing ?? storeBilling(store, { policy: admission, now }),
    now,
    steady,
    id: () => timeOrderedId(now()),
    log,
    refusalLog: createRefusalLog(log),
    docs: options.docs ?? true,
    limits,
    admission,
    responsesReasoning: options.responsesReasoning === true,
    holds: withDefaults(defaultHoldFigures, options.holds),
    parseQueue: createParseQueue(),
    bodyMemory: createBodyMemory({ most: limits.bodyBytes, perKey: limits.bodyBytesPerKey }),
    keyLimits: createKeyLimits(store, limits.concurrentRequests),
    streams: createStreams(limits.streams),
    sockets: createSockets(limits.webSockets),
    counts: createRates({ perMinute: limits.counts }, steady),
    refusals: createRates({ perMinute: 10 }, steady),
    routing,
    // Read for each request: without observers, observing costs nothing.
    get observer() {
      const listening = events.observer();
      if (!listening) return options.observer;
      return options.observer ? combineObservers([options.observer, listening]) : listening;
    },
    events,
    metrics: options.metrics,
    configuration: options.configuration,
    reloads: options.reloads,
    compareCatalog: options.compareCatalog,
    declarations: options.declarations,
    discover: options.discover,
    cors: createCors(options.corsOrigins),
    explain: async (request, exchanged) => explainApp.fetch(request, { ...services, ...exchanged }),
    draining: () => leaving || stopping,
    stopping: () => stopping,
    begun: requests.begun,
    ended: requests.ended,
  };
  const explainApp = mount(explainedIn(all), services);
  const batchApp = mount(batched, services);
  if (options.media?.runJobs ?? true) batches?.start();
  const socketPaths = socketPathsOf(all);
  const app = mount(all, services);
  return {
    fetch: (request) => app.fetch(request),
    node: app.node,
    hasCredential: credentialFinder(all.flatMap(({ credentials = [] }) => credentials)),
    upgrades: (request) => asksForSocket(request) && socketPaths.has(pathOf(request)),
    upgrade(request, socket, accept) {
      const { response, release } = upgradeResponse(request, socket);
      app.upgrade(request, response, (headers) => {
        release();
        return accept(headers);
      });
    },
    health: () => services.routing.breakers.all(),
    loads: () => services.routing.limiter.all(),
    credentials: () =>
      [...providers.values()].flatMap(({ id: provider, credentials = [] }) =>
        credentials.map((credential) => ({
          provider,
          credential: credential.name,
          ...routing.credentials.of(credential),
        })),
      ),
    learntTraits: () => routing.learnt?.all() ?? [],
    setWebhooks(endpoints) {
      checkOptions("setWebhooks", webhookRules, { webhooks: endpoints });
      // The endpoints are set before the alerts, so that every alert that is written has its recipients.
      webhooks.follow(endpoints);
      store.setAlerts(alertsFor(endpoints));
    },
    markNotReady() {
      leaving = true;
    },
    async drain() {
      stopping = true;
      services.sockets.stop();
      events.stop();
      await batches?.drain();
      await requests.allEnded();
      await media?.jobs.drain();
    },
    async close() {
      batches?.close();
      await webhooks.close();
      await media?.close();
      await transport.close();
    },
  };
}
