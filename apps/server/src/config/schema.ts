import { createPublicKey } from "node:crypto";
import { callUnits, capabilitiesSchema, ignorable, protocols } from "@manifold/core";
import { isOwnName, restrictionsField } from "@manifold/gateway";
import { imageModels, isAddressRange, isProtectedUrl, presets, videoModels } from "@manifold/providers";
import { couldBeKey, defaultRecords, KEPT_OF_REQUESTS, UNITS } from "@manifold/store";
import { z } from "zod";
import { media, meter, serves, tiers, usd } from "./media.ts";
import { concurrency, routing } from "./routing.ts";
import { telemetry } from "./telemetry.ts";
import { auth, credential, headers, origin, UNPROTECTED } from "./wire.ts";

const id = z
  .string()
  .min(1)
  .max(256)
  .regex(/^\P{Cc}*$/u, "must not hold control characters")
  .refine(isOwnName, "is a name that every object has");
/** Of an account or a key. */
const ownerName = z.string().min(1).max(64).refine(isOwnName, "is a name that every object has");
const upstreamProtocol = z.enum(protocols.filter((protocol) => protocol !== "native"));
const modality = z.enum(["text", "image", "file", "video", "audio", "embedding"]);

const traits = z
  .strictObject({
    maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]),
    developer: z.boolean(),
    freeform: z.boolean(),
    extensions: z.array(z.string()),
    reasoningBack: z.boolean(),
    thinking: z.array(z.enum(["adaptive", "manual", "off"])),
    sampling: z.boolean(),
    midSystem: z.boolean(),
    jsonSchema: z.boolean(),
    format: z.boolean(),
    thinkingBy: z.enum(["budget", "level"]),
    callIds: z.boolean(),
    resultMedia: z.boolean(),
    ignores: z.array(z.enum(ignorable)),
    maxOutput: z.int().min(1),
  })
  .partial()
  .describe("What the models take beyond what their protocol says.");

/** In milliseconds: more than any work takes, and no more than a timer can. */
const DAY = 24 * 3_600_000;
const timeouts = z
  .strictObject({ firstByte: z.int().min(1).max(DAY), idle: z.int().min(1).max(DAY) })
  .partial()
  .describe("Milliseconds to the first byte of an answer, and between two bytes of it.");

const factors = z
  .record(z.string(), z.record(z.string(), z.number().min(0).max(1_000)))
  .describe(
    "Factors of the token prices by mode and value, such as { service_tier: { priority: 2 } }; usual values cost the usual price.",
  );

const provider = z
  .strictObject({
    preset: z.enum(Object.keys(presets)).optional().describe("A known provider; the other fields change it."),
    protocol: z
      .union([upstreamProtocol, z.array(upstreamProtocol).min(1)])
      .optional()
      .describe("What it speaks: one protocol or several."),
    serves: serves.optional(),
    origin: origin.optional().describe("Where it is. A path in it replaces the protocol's own base path."),
    key: credential
      .optional()
      .describe("Its credential; write a dollar sign and {NAME} to take it from the environment."),
    auth: auth.optional().describe("How it is told the key, where not as its protocol does."),
    headers: headers.optional().describe("Sent with every call."),
    traits: traits.optional(),
    protocolTraits: z
      .partialRecord(upstreamProtocol, traits)
      .optional()
      .describe("Traits on single protocols; they go before 'traits'."),
    timeouts: timeouts.optional(),
    drain: z
      .int()
      .min(0)
      .max(DAY)
      .optional()
      .describe(
        "Milliseconds that a call goes on after its client has left, then it is cancelled and settled by what came. Only for providers that bill nothing for what goes on. Default: 0 for local presets; for others 'limits.drain', for streams.",
      ),
    routes: z
      .boolean()
      .optional()
      .describe("It is a router itself and knows the provider options of a request."),
    surcharges: z
      .array(
        z.strictObject({
          models: z.string().optional().describe("Of models with such a name; * stands for anything."),
          calls: z
            .partialRecord(z.enum(callUnits), usd)
            .optional()
            .describe("US dollars for one call of a tool that the provider runs."),
          factors: factors.optional(),
        }),
      )
      .optional()
      .describe(
        "What it bills beside tokens; the first row that fits a model counts. Default: the preset's.",
      ),
    unpriced: z
      .enum(["refuse", "forward"])
      .optional()
      .describe(
        "What becomes of members that it bills and that have no price. Default: refuse for presets of vendors and for routers, forward for others.",
      ),
    unknownIds: z
      .enum(["refuse", "forward"])
      .optional()
      .describe(
        "What becomes of ids of files, containers and earlier answers that no answer to any account has held. Default: forward.",
      ),
    concurrency: concurrency.optional(),
  })
  .refine(
    ({ preset, protocol, serves, origin }) =>
      preset !== undefined || ((protocol ?? serves) !== undefined && origin !== undefined),
    {
      message: "needs a preset, or protocol and origin, or serves and origin",
    },
  );

const price = z
  .partialRecord(z.enum(UNITS), usd)
  .describe(
    "US dollars: per 1,000,000 tokens or characters, per image, second and request. {} is free; no price at all cannot be sold.",
  );

const entry = z.strictObject({
  provider: id,
  name: id.describe("The provider's own name for the model."),
  priority: z.int().min(0).default(1).describe("Lower goes first."),
  active: z.boolean().default(true),
  protocol: z
    .union([upstreamProtocol, z.array(upstreamProtocol).min(1)])
    .optional()
    .describe("Where the model is served on fewer protocols than the provider speaks."),
  capabilities: capabilitiesSchema.optional().describe("What the model takes. Absent: unconstrained."),
  traits: traits.optional(),
  price: price.optional(),
  known: z
    .enum([...Object.keys(imageModels), ...Object.keys(videoModels)])
    .optional()
    .describe(
      "The known media model whose capabilities, meter and prices count. Default: the one of this name.",
    ),
  meter: meter.optional(),
  tiers: tiers(UNITS).optional(),
  factors: factors.optional(),
});

const model = z.strictObject({
  name: z.string().max(256).optional(),
  input: z.array(modality).min(1).default(["text"]).describe("What it takes."),
  output: z.array(modality).min(1).default(["text"]).describe("What it gives."),
  active: z.boolean().default(true),
  answerName: z
    .enum(["provider", "asked"])
    .optional()
    .describe("The model's name in answers that are passed on: the provider's (default), or the caller's."),
  entries: z.array(entry).min(1),
});

const caps = z.strictObject({ daily: usd, weekly: usd, monthly: usd, total: usd }).partial();
/** What a caller can send as a bearer. */
const sendable = z
  .string()
  .regex(/^[!-~]*$/, "must be printable ASCII without spaces: nobody could send it in a header");
export const rawKey = sendable
  .min(32, "must have 32 characters or more; make a new one, such as with `openssl rand -hex 32`")
  .max(512)
  .refine(couldBeKey, {
    error: "looks like a Manifold key, but its checksum is wrong",
  });
const key = z.union([
  rawKey,
  z.strictObject({
    key: rawKey,
    caps: caps.optional(),
    restrictions: restrictionsField.optional().describe("What it may do; null lifts a restriction."),
  }),
]);

const account = z.strictObject({
  balance: usd.default(0).describe("US dollars credited when the account is made."),
  keys: z.record(ownerName, key).default({}),
});

function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem) !== undefined;
  } catch {
    return false;
  }
}

const sessions = z
  .strictObject({
    secret: z.string().min(32).optional().describe("Signs and judges tokens (HS256): 32 bytes or more."),
    publicKey: z
      .string()
      .startsWith("-----BEGIN")
      .refine(isPublicKey, { error: "is no public key in PEM" })
      .optional()
      .describe("Judges tokens of another issuer, in PEM."),
    jwks: z
      .url({ protocol: /^https?$/ })
      .refine(isProtectedUrl, { error: UNPROTECTED })
      .optional()
      .describe("Where the keys of another issuer are."),
    algorithm: z
      .enum(["HS256", "EdDSA", "ES256", "ES384", "RS256", "PS256"])
      .optional()
      .describe("Default: HS256 for a secret, EdDSA else."),
    issuer: z.string().min(1).default("manifold"),
    audience: z.string().min(1).default("manifold"),
    type: z.string().min(1).default("JWT").describe("The typ of a token's header."),
    maxAge: z.int().min(1).default(3_600).describe("Seconds."),
  })
  .refine(({ secret, publicKey, jwks }) => [secret, publicKey, jwks].filter(Boolean).length === 1, {
    message: "needs one of secret, publicKey and jwks",
  })
  .refine(
    ({ secret, algorithm }) => algorithm === undefined || (algorithm === "HS256") === (secret !== undefined),
    {
      message: "HS256 goes with a secret, and nothing else does",
      path: ["algorithm"],
    },
  )
  .describe("Whose sessions are accepted beside API keys.");

const seal = z.string().regex(/^(?:[0-9a-fA-F]{64}|[\w-]{43}=?)$/, "must be 32 bytes in hex or base64url");

const limit = (value: number) => z.int().min(1).default(value);

const adminKey = sendable.min(32).max(512);

/** The whole of a configuration file. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(8787),
      url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe("The address that callers and providers know the service by. Default: host and port."),
      grace: limit(30_000).describe(
        "Milliseconds that requests in flight get when the process is told to stop.",
      ),
      preStopDelay: z
        .int()
        .min(0)
        .max(60_000)
        .default(0)
        .describe(
          "Milliseconds for which /ready answers 503 before the process stops, so that a balancer takes it out.",
        ),
      adminKey: adminKey
        .optional()
        .describe("The operator's credential, sent as x-admin-key; without it the operator has no HTTP."),
      adminKeys: z
        .record(ownerName, adminKey)
        .default({})
        .describe("Further operators' credentials by name; the audit log tells which one acted."),
      corsOrigins: z
        .array(
          z.string().regex(/^https?:\/\/[^/\s?#]+$/, "must be an origin, such as https://app.example.com"),
        )
        .default([])
        .describe("Origins whose pages may call the service from a browser."),
      trustProxy: z
        .array(z.string().refine(isAddressRange, { error: "is no range of addresses like 10.0.0.0/8" }))
        .default([])
        .describe("Address ranges of the proxies in front, whose x-forwarded-for is believed."),
      webSockets: z
        .boolean()
        .default(true)
        .describe(
          "Whether responses are served over WebSockets too; if not, their clients are told to use HTTP.",
        ),
      docs: z.boolean().default(true).describe("Whether /docs and /openapi.json are shown."),
      log: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    })
    .prefault({}),
  store: z
    .string()
    .regex(/^(sqlite:|postgres(ql)?:\/\/)/, "must begin with sqlite: or postgres://")
    .default("sqlite:./data/manifold.db"),
  objects: z
    .string()
    .regex(/^(file|s3):./, "must begin with file: or s3:")
    .default("file:./data/objects")
    .describe(
      "Where files are kept: file:FOLDER, or s3:BUCKET?region=…&endpoint=…&publicEndpoint=…&prefix=…&pathStyle=true with credentials from the environment.",
    ),
  linkSecrets: z
    .array(seal)
    .default([])
    .describe(
      "Secrets that sign links to files in a folder: 32 bytes each, in hex or base64url. New ones are added at the end. Default: one made of each of keyEncryptionSecrets.",
    ),
  media,
  admission: z
    .enum(["threshold", "strict"])
    .default("threshold")
    .describe("threshold admits while something is left; strict only what fits."),
  sessions: sessions.optional(),
  keyEncryptionSecrets: z
    .array(seal)
    .default([])
    .describe(
      "Secrets that encrypt API keys at rest, so that their owners can see them again: 32 bytes each, in hex or base64url. New ones are added at the end; one that is taken out makes its keys unreadable.",
    ),
  limits: z
    .strictObject({
      keys: limit(100),
      generation: limit(15 * 60_000),
      drain: limit(10 * 60_000),
      clientWriteTimeout: limit(60_000),
      clientBodyTimeout: limit(60_000).describe(
        "Milliseconds that the first MiB of a request body may take; each further one may take an eighth of it.",
      ),
      bodyBytes: limit(512 * 1024 * 1024).describe("Bytes of request bodies that are held at one time."),
      bodyBytesPerKey: limit(256 * 1024 * 1024).describe("Of those, of one key."),
      answer: limit(32 * 1024 * 1024),
      stream: limit(256 * 1024 * 1024),
      concurrentRequests: limit(500).describe("Requests of one key that are under way at one time."),
      streams: limit(500).describe("Streams of one key that run at one time."),
      counts: limit(300).describe("How often one key may have tokens counted in a minute."),
      webSockets: limit(100).describe("WebSockets of one key that are open at one time."),
      webSocketIdleTimeout: limit(10 * 60_000).describe("How long one stays open on which nothing runs."),
      connections: limit(20_000).describe("Connections that are open at one time."),
      connectionsPerAddress: limit(1_000).describe(
        "Of those, from one address; a balancer in front is one address.",
      ),
      requestsPerMinutePerAddress: limit(60_000).describe(
        "Requests of one address in a minute, a tenth of them at once.",
      ),
    })
    .prefault({})
    .describe("Counts, milliseconds and bytes, for each process."),
  holds: z
    .strictObject({
      imageTokens: limit(1_600).describe("Of a picture, inline or by its address."),
      fileTokens: limit(100_000).describe(
        "The most of any other file; one that is known only by its address or id is held at this.",
      ),
      outputTokens: limit(32_768).describe("Of an answer whose request and model entry set no limit."),
      toolCalls: limit(10).describe("Calls of a hosted tool whose request sets no limit."),
      toolCallTokens: limit(8_192).describe("Input tokens that a call of a hosted tool adds."),
    })
    .prefault({})
    .describe("Tokens that credit is held for where a request does not say what it will come to."),
  records: z
    .strictObject({
      requests: z
        .enum(KEPT_OF_REQUESTS)
        .default(defaultRecords.requests)
        .describe(
          "What a record keeps of its request: nothing, its figures and the sizes of the rest, or all of it but media and credentials.",
        ),
      days: z.int().min(1).max(3_650).default(defaultRecords.days).describe("How long it is kept."),
      quota: z
        .int()
        .min(1024 * 1024)
        .default(defaultRecords.quota)
        .describe("Bytes that are kept of one account at one time; the oldest give way."),
    })
    .prefault({})
    .describe("What is kept of requests. Records and what they cost stay."),
  routing: routing.describe("What happens where a provider fails."),
  telemetry: telemetry.describe("What is told of the service while it runs. Default: nothing."),
  providers: z.record(id, provider).default({}),
  models: z.record(id, model).default({}),
  accounts: z.record(ownerName, account).default({}),
});

export type Config = z.output<typeof configSchema>;
