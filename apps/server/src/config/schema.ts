import { isAddressRange } from "@manifold-gateway/providers";
import { defaultRecords, KEPT_OF_REQUESTS } from "@manifold-gateway/store";
import { z } from "zod";
import { LOG_FORMATS } from "../log.ts";
import { account, sendable } from "./accounts.ts";
import { media } from "./media.ts";
import { model } from "./models.ts";
import { id, ownerName } from "./names.ts";
import { provider } from "./providers.ts";
import { routing } from "./routing.ts";
import { sessions } from "./sessions.ts";
import { telemetry } from "./telemetry.ts";
import { webhooks } from "./webhooks.ts";

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
      processes: z
        .union([z.literal("auto"), z.int().min(1).max(256)])
        .default(1)
        .describe(
          "The number of processes that serve on the port, under one that supervises them; auto is one for each core.",
        ),
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
        .describe("Further operators' credentials by name; the audit log shows which one acted."),
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
          "True to serve responses over WebSockets too; otherwise clients get 426, so that they use HTTP.",
        ),
      console: z
        .boolean()
        .default(true)
        .describe("True to serve the console at /console, where people sign in."),
      docs: z.boolean().default(true).describe("True to show /docs and /openapi.json."),
      log: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
      logFormat: z
        .enum(LOG_FORMATS)
        .default("auto")
        .describe("The form of log lines: auto is pretty on a terminal, and json elsewhere."),
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
      "The store of files: file:FOLDER, or s3:BUCKET?region=…&endpoint=…&publicEndpoint=…&prefix=…&pathStyle=true with credentials from the environment.",
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
    .describe("threshold admits requests while credit is left; strict only those whose hold fits."),
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
      counts: limit(300).describe("The number of times a minute that one key may have tokens counted."),
      webSockets: limit(100).describe("WebSockets of one key that are open at one time."),
      webSocketIdleTimeout: limit(10 * 60_000).describe("Milliseconds that an idle WebSocket stays open."),
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
        "The most of any other file; a file that is known only by its address or id counts as this.",
      ),
      outputTokens: limit(32_768).describe("Of an answer whose request and model entry set no limit."),
      toolCalls: limit(10).describe("Calls of a hosted tool whose request sets no limit."),
      toolCallTokens: limit(8_192).describe("Input tokens that a call of a hosted tool adds."),
    })
    .prefault({})
    .describe("Tokens that credit is held for where a request does not state its limits."),
  records: z
    .strictObject({
      requests: z
        .enum(KEPT_OF_REQUESTS)
        .default(defaultRecords.requests)
        .describe(
          "The part of a request that its record keeps: nothing, its figures and the sizes of the rest, or all of it but media and credentials.",
        ),
      days: z.int().min(1).max(3_650).default(defaultRecords.days).describe("Days that it is kept."),
      quota: z
        .int()
        .min(1024 * 1024)
        .default(defaultRecords.quota)
        .describe("Bytes that are kept of one account at one time; the oldest give way."),
    })
    .prefault({})
    .describe("The texts of requests that are kept. Records and their costs stay."),
  routing: routing.describe("Reactions to a provider's failures."),
  telemetry: telemetry.describe("Metrics and traces of the service. Default: none."),
  webhooks: webhooks.describe("Endpoints that hear of reached caps, low balances, ended jobs and failures."),
  providers: z.record(id, provider).default({}),
  models: z.record(id, model).default({}),
  accounts: z.record(ownerName, account).default({}),
});

export type Config = z.output<typeof configSchema>;
