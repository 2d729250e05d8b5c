import { isOrigin, LONGEST_TIMER, operatorKey } from "@manifold-gateway/gateway/admin";
import { isAddressRange } from "@manifold-gateway/providers";
import { defaultRecords, KEPT_OF_REQUESTS } from "@manifold-gateway/store";
import { z } from "zod";
import { LOG_FORMATS, LOG_LEVELS } from "../logging/log.ts";
import { account } from "./accounts.ts";
import { guards } from "./guards.ts";
import { keyDefaults } from "./key-defaults.ts";
import { media } from "./media.ts";
import { model } from "./models.ts";
import { id, ownerName } from "./names.ts";
import { provider } from "./providers.ts";
import { routing } from "./routing.ts";
import { sessions } from "./sessions.ts";
import { store } from "./store.ts";
import { telemetry } from "./telemetry.ts";
import { webhooks } from "./webhooks.ts";

const seal = z.string().regex(/^(?:[0-9a-fA-F]{64}|[\w-]{43}=?)$/, "must be 32 bytes in hex or base64url");

const limit = (value: number) => z.int().min(1).default(value);
/** Milliseconds of a timer: the runtime ends a longer one at once. */
const time = (value: number) => z.int().min(1).max(LONGEST_TIMER).default(value);

/** The whole of a configuration file. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(8787),
      url: z
        .url({ protocol: /^https?$/ })
        .refine((text) => !/[?#]/.test(text), {
          error: "must have no query and no fragment: links begin with it",
        })
        .optional()
        .describe("The public URL of the service. Default: host and port."),
      processes: z
        .union([z.literal("auto"), z.int().min(1).max(256)])
        .default(1)
        .describe("The number of processes that serve the port, under a supervisor; auto is one per core."),
      grace: time(30_000).describe(
        "Milliseconds that requests in flight may continue when the process stops.",
      ),
      preStopDelay: z
        .int()
        .min(0)
        .max(60_000)
        .default(0)
        .describe(
          "Milliseconds for which /ready returns 503 before the process stops, so that a balancer takes it out.",
        ),
      warmUp: z
        .int()
        .min(0)
        .max(60_000)
        .default(700)
        .describe(
          "Milliseconds for which requests are tried out inside the process before it listens; 0 leaves it out.",
        ),
      adminKey: operatorKey
        .optional()
        .describe(
          "The operator's credential, sent as x-admin-key; without it operators have no access over HTTP.",
        ),
      adminKeys: z
        .record(ownerName, operatorKey)
        .default({})
        .describe("Further operators' credentials by name; the audit log shows which one acted."),
      corsOrigins: z
        .array(z.string().refine(isOrigin, { error: "must be an origin, such as https://app.example.com" }))
        .default([])
        .describe("Origins whose pages may call the service from a browser."),
      trustProxy: z
        .array(z.string().refine(isAddressRange, { error: "is no range of addresses like 10.0.0.0/8" }))
        .default([])
        .describe("Address ranges of the proxies in front, whose x-forwarded-for is trusted."),
      webSockets: z
        .boolean()
        .default(true)
        .describe("True to serve responses over WebSockets; otherwise handshakes are refused with 426."),
      console: z
        .union([
          z.boolean(),
          z.strictObject({
            insecureCookies: z
              .boolean()
              .default(false)
              .describe("True to let people sign in over plain HTTP, which others on the way can read."),
          }),
        ])
        .default(true)
        .describe(
          "True to serve the console at /console, where people sign in; or an object with insecureCookies.",
        ),
      docs: z.boolean().default(true).describe("True to serve /docs and /openapi.json."),
      log: z.enum(LOG_LEVELS).default("info"),
      logFormat: z
        .enum(LOG_FORMATS)
        .default("auto")
        .describe("The form of log lines: auto is pretty on a terminal, and json elsewhere."),
    })
    .prefault({}),
  store,
  calls: z
    .string()
    .min(1)
    .optional()
    .describe(
      "A folder of this machine in which calls are written down before they go out, so that each is recorded after a crash. Default: beside a SQLite file, ./data/calls otherwise.",
    ),
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
      "Secrets that sign links to files in a folder: 32 bytes each, in hex or base64url. Add new ones at the end. Default: one derived from each of keyEncryptionSecrets.",
    ),
  media,
  admission: z
    .enum(["threshold", "strict"])
    .default("threshold")
    .describe("threshold admits requests while credit is left; strict only those whose hold fits."),
  responses: z
    .strictObject({
      reasoning: z
        .boolean()
        .default(false)
        .describe(
          "Whether `reasoning` of a request is translated for providers of other protocols; otherwise it is left out for them and listed as a loss.",
        ),
    })
    .prefault({})
    .describe("The responses surface."),
  sessions: sessions.optional(),
  keyEncryptionSecrets: z
    .array(seal)
    .default([])
    .describe(
      "Secrets that encrypt API keys at rest, so that their owners can reveal them: 32 bytes each, in hex or base64url. Add new ones at the end; without a secret, keys that it encrypted cannot be revealed.",
    ),
  limits: z
    .strictObject({
      keys: limit(100),
      generation: time(15 * 60_000),
      drain: time(10 * 60_000),
      clientWriteTimeout: time(60_000),
      clientBodyTimeout: time(60_000).describe(
        "Milliseconds that the first MiB of a request body may take to arrive; each further MiB may take an eighth of it.",
      ),
      bodyBytes: limit(512 * 1024 * 1024).describe("Bytes of request bodies in memory at one time."),
      bodyBytesPerKey: limit(256 * 1024 * 1024).describe("Of those, bytes of one key."),
      answer: limit(32 * 1024 * 1024),
      stream: limit(256 * 1024 * 1024),
      concurrentRequests: limit(500).describe("Requests of one key in flight at one time."),
      streams: limit(500).describe("Open streams of one key at one time."),
      counts: limit(300).describe("Requests of one key to count tokens in a minute."),
      webSockets: limit(100).describe("Open WebSockets of one key at one time."),
      webSocketIdleTimeout: time(10 * 60_000).describe("Milliseconds that an idle WebSocket stays open."),
      connections: limit(20_000).describe("Open connections at one time."),
      connectionsPerAddress: limit(1_000).describe(
        "Of those, connections from one address; a balancer in front is one address.",
      ),
      requestsPerMinutePerAddress: limit(60_000).describe(
        "Requests without a valid credential from one address in a minute, a tenth of them at once.",
      ),
    })
    .prefault({})
    .describe("Counts, milliseconds and bytes, for each process."),
  holds: z
    .strictObject({
      imageTokens: limit(1_600).describe("Tokens of an image, inline or by URL."),
      fileTokens: limit(100_000).describe(
        "Maximum for any other file, and the figure for one known only by URL or id.",
      ),
      outputTokens: limit(32_768).describe("Output tokens if neither request nor model entry set a limit."),
      toolCalls: limit(10).describe("Calls of a hosted tool if the request sets no limit."),
      toolCallTokens: limit(8_192).describe("Input tokens that each call of a hosted tool adds."),
    })
    .prefault({})
    .describe("Tokens for which credit is held if a request does not set its limits."),
  records: z
    .strictObject({
      requests: z
        .enum(KEPT_OF_REQUESTS)
        .default(defaultRecords.requests)
        .describe(
          "The part of a request that its record keeps: nothing, its numbers and the sizes of the rest, or all of it but media and credentials.",
        ),
      replies: z
        .enum(KEPT_OF_REQUESTS)
        .default(defaultRecords.replies)
        .describe(
          "The part of a text model's reply that its record keeps: nothing, the kinds and sizes of its parts, or all of it but media and credentials.",
        ),
      replyBytes: z
        .int()
        .min(1024)
        .max(1024 * 1024)
        .default(defaultRecords.replyBytes)
        .describe("Bytes that are kept of one reply."),
      days: z
        .int()
        .min(1)
        .max(3_650)
        .default(defaultRecords.days)
        .describe("Days for which it is kept, rounded up to whole days (UTC)."),
      quota: z
        .int()
        .min(1024 * 1024)
        .default(defaultRecords.quota)
        .describe("Bytes that are stored of one account; the oldest are deleted first."),
    })
    .prefault({})
    .describe(
      "How much of requests and replies is stored, and for how long. Records and their costs are kept for good.",
    ),
  answerCache: z
    .strictObject({
      in: z
        .enum(["memory", "database", "none"])
        .default("memory")
        .describe("The place of cached answers: each process's memory, or the database for all processes."),
      bytes: z
        .int()
        .min(1024 * 1024)
        .default(64 * 1024 * 1024)
        .describe("Bytes of all cached answers; of each process in memory."),
      share: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe("The share of the first answer's cost that each answer from the cache costs."),
    })
    .prefault({})
    .describe("Answers that are given once more, where a request, its key or its model asks for that."),
  archive: z
    .strictObject({
      days: z
        .int()
        .min(1)
        .max(3_650)
        .default(60)
        .describe("Days after the end of a month from which its records can be archived."),
    })
    .prefault({})
    .describe("The archive of records, which the command of that name writes."),
  routing: routing.describe("Reactions to a provider's failures."),
  telemetry: telemetry.describe("Metrics and traces of the service. Default: none."),
  guards: guards.describe("Addresses that allow, mask or refuse the texts of requests and replies."),
  webhooks: webhooks.describe("Endpoints that hear of reached caps, low balances, ended jobs and failures."),
  keyDefaults: z
    .record(ownerName, keyDefaults)
    .default({})
    .describe(
      "What new keys have if their request does not say otherwise, by the account's name in this file or its id; * stands for all others.",
    ),
  providers: z.record(id, provider).default({}),
  models: z.record(id, model).default({}),
  accounts: z.record(ownerName, account).default({}),
});

export type Config = z.output<typeof configSchema>;
