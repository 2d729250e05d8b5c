import { isAddressRange } from "@manifold-gateway/providers";
import { circuitDefaults } from "@manifold-gateway/providers/routing";
import { z } from "zod";
import { operatorKey } from "./access/operator-key.ts";
import { defaultBatchLimits } from "./batches/limits.ts";
import { GUARD_PHASES } from "./guards/phases.ts";
import { isOrigin } from "./http/cors.ts";
import { defaultJobLimits } from "./jobs/limits.ts";
import { defaultHoldFigures, defaultLimits } from "./limits/defaults.ts";
import type { GatewayOptions } from "./options.ts";
import { WEBHOOK_EVENTS } from "./webhooks/events.ts";
import { isWebhookSecret } from "./webhooks/sign.ts";

/** The longest time of a timer: the runtime ends a longer one at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const text = z.string().min(1);
const truth = z.boolean().optional();
const count = z.int().min(1);
const time = count.max(LONGEST_TIMER);
const times: readonly string[] = [
  ...["generation", "drain", "clientWriteTimeout", "clientBodyTimeout", "webSocketIdleTimeout"],
  ...["openFor", "maxCooldown", "lease", "rest"],
];

/** Figures with the names of their defaults: those inside of others are given as a whole. */
function figures(defaults: object, isPart = false): z.ZodType {
  const members = Object.entries(defaults).map(([name, value]: [string, unknown]) => {
    if (typeof value === "object" && value !== null) return [name, figures(value, true)] as const;
    if (!Number.isInteger(value)) return [name, z.number().min(1)] as const;
    return [name, times.includes(name) ? time : count] as const;
  });
  return z.strictObject(
    Object.fromEntries(members.map(([name, schema]) => [name, isPart ? schema : schema.optional()])),
  );
}

/** A part that a program makes by another function, or by itself, known by some of its members. */
const part = (noun: string, ...members: readonly string[]) =>
  z.custom(
    (value) => typeof value === "object" && value !== null && members.every((name) => name in value),
    `must be ${noun}`,
  );
const callable = z.custom((value) => typeof value === "function", "must be a function").optional();

const url = (hint: string) =>
  z
    .string(`must be an address, such as ${hint}`)
    .refine((value) => /^https?:/.test(value) && URL.canParse(value), {
      error: `must be an address with http: or https:, such as ${hint}`,
    });
const isBase = (value: unknown): boolean =>
  typeof value === "function" ||
  (typeof value === "string" && /^https?:[^?#]+$/.test(value) && URL.canParse(value));
const base = z.custom(
  isBase,
  "must be an address such as https://ai.example.com, without a query and a fragment, or a function that returns one",
);
const ranges = z
  .array(z.string().refine(isAddressRange, { error: "must be a range of addresses, such as 10.0.0.0/8" }))
  .optional();
const secrets = z
  .array(z.string().refine(isWebhookSecret, { error: "must be whsec_ and 24 to 64 bytes in base64" }))
  .min(1);
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "must be bytes (Uint8Array)");
const provider = part("a provider, made by defineProvider", "id", "speaks");

const rules = {
  store: part("a store, opened by openSqlite or openPostgres", "money", "accounts", "keys"),
  catalog: part("a catalog, made by createCatalog", "get", "list", "replace"),
  providers: z.union([z.array(provider), part("a map", "get", "values")], {
    error: ({ input }) =>
      Array.isArray(input) ? undefined : "must be a list of providers, or a map of them by id",
  }),
  protocols: part("protocols, made by createProtocols", "codecs").optional(),
  transport: part("a transport, made by createTransport or createFetchTransport", "send").optional(),
  admission: z.enum(["threshold", "strict"]).optional(),
  responsesReasoning: truth,
  guards: z
    .array(
      z.strictObject({
        id: text,
        url: url("https://guard.example.com"),
        secrets,
        phases: z.array(z.enum(GUARD_PHASES)).min(1),
        accounts: z.array(text).optional(),
        timeout: time,
        onFailure: z.enum(["refuse", "allow"]),
      }),
    )
    .optional(),
  answers: z
    .strictObject({
      cache: part("a cache, made by createMemoryCache or createStoreCache", "get", "put"),
      share: z.number().min(0).max(1),
    })
    .optional(),
  billing: part("an object with the functions of Billing").optional(),
  access: part("an object with the functions of Access", "byKey").optional(),
  routing: z
    .strictObject({
      attempts: count.optional(),
      retryAmbiguousFailures: truth,
      maxRetryAfterWait: z.int().min(0).max(LONGEST_TIMER).optional(),
      learnFromRefusals: truth,
      circuit: figures(circuitDefaults).optional(),
    })
    .optional(),
  holds: figures(defaultHoldFigures).optional(),
  limits: figures(defaultLimits).optional(),
  media: z
    .strictObject({
      objects: part("a store of files, opened by openDisk or openBucket", "put"),
      links: part("links, made by createLinks").optional(),
      isPublic: truth,
      voices: z.array(part("a voice", "id")).optional(),
      allow: ranges,
      fetch: callable,
      prober: part("a prober, made by createProber", "probe").optional(),
      jobs: figures(defaultJobLimits).optional(),
      batches: figures(defaultBatchLimits).optional(),
      runJobs: truth,
    })
    .optional(),
  webhooks: z
    .array(
      z.strictObject({
        id: text,
        url: url("https://example.com/events"),
        secrets,
        events: z.array(z.enum(WEBHOOK_EVENTS)).min(1),
        account: text.optional(),
        lowBalance: z.number().min(0),
      }),
    )
    .optional(),
  base: base.optional(),
  trustProxy: ranges,
  corsOrigins: z
    .array(z.string().refine(isOrigin, { error: "must be an origin, such as https://app.example.com" }))
    .optional(),
  sessions: z
    .strictObject({
      key: z.union([
        z.strictObject({ secret: z.string().min(32) }),
        z.strictObject({ publicKey: z.string().startsWith("-----BEGIN") }),
        z.strictObject({ jwks: url("https://login.example.com/keys") }),
      ]),
      algorithm: text.optional(),
      issuer: text,
      audience: text,
      type: text.optional(),
      maxAge: count.optional(),
    })
    .optional(),
  keyEncryptionSecrets: z
    .array(bytes.refine((value) => value.length === 32, { error: "must have 32 bytes" }))
    .optional(),
  keyDefaults: callable,
  adminKey: operatorKey.optional(),
  adminKeys: z.record(text, operatorKey).optional(),
  surfaces: z.array(part("a surface, such as textSurface makes", "name", "routes")).optional(),
  console: part("{ files: consoleFiles() }", "files").optional(),
  docs: truth,
  log: part("an object with the functions info, warn and error", "info", "warn", "error").optional(),
  observer: part("an object with the functions of Observer").optional(),
  metrics: callable,
  configuration: callable,
  reloads: callable,
  compareCatalog: callable,
  declarations: part("an object with the functions of DeclarationEditor").optional(),
  discover: callable,
  now: callable,
  steady: callable,
} satisfies Record<keyof GatewayOptions, z.ZodType>;

/** What each option of a gateway may be. An option of another name is refused: it would be without effect. */
export const optionRules = z.strictObject(rules);

/** Those of webhooks, which can be replaced later. */
export const webhookRules = optionRules.pick({ webhooks: true });
