import { callUnits } from "@manifold-gateway/core/codec";
import { traitSchemas } from "@manifold-gateway/core/configuration";
import { protocolNames } from "@manifold-gateway/core/ir";
import { type Platform, platforms, presetParts, presets } from "@manifold-gateway/providers";
import { z } from "zod";
import { serves, usd } from "./media.ts";
import { concurrency } from "./routing.ts";
import { auth, credentials, headers, identities, origin } from "./wire.ts";

export const upstreamProtocol = z.enum(protocolNames.filter((protocol) => protocol !== "native"));
/** The traits of models beyond their protocol. */
export const traits = z
  .strictObject(traitSchemas)
  .partial()
  .describe("The traits of the models beyond their protocol.");

/** The longest timeout, in milliseconds: more than any work takes, and within what a timer can hold. */
const DAY = 24 * 3_600_000;
const timeouts = z
  .strictObject({ firstByte: z.int().min(1).max(DAY), idle: z.int().min(1).max(DAY) })
  .partial()
  .describe("Milliseconds to the first byte of a response, and between two bytes of it.");

/** Factors of prices by mode. */
export const factors = z
  .record(z.string(), z.record(z.string(), z.number().min(0).max(1_000)))
  .describe(
    "Factors of the token prices by mode and value, such as { service_tier: { priority: 2 } }; usual values cost the usual price.",
  );

const partNames = [...new Set(Object.values(presets).flatMap(presetParts))].sort();

/** A reference below a host: an address of another host would get the key. */
const reference = z
  .string()
  .regex(/^(?!\/\/)[\w./~-]*(\?[\w.=&-]*)?$/, "must be a path, such as /anthropic/v1 or ../anthropic/v1");

/** A declared provider. */
export const provider = z
  .strictObject({
    preset: z.enum(Object.keys(presets)).optional().describe("A known provider; the other fields change it."),
    protocol: z
      .union([upstreamProtocol, z.array(upstreamProtocol).min(1)])
      .optional()
      .describe("Its protocol, or several."),
    serves: serves.optional(),
    origin: origin.optional().describe("Its base URL. A path in it replaces the protocol's own base path."),
    parts: z
      .partialRecord(z.enum(partNames), z.string().min(1))
      .optional()
      .describe(
        "The parts of its preset's address, such as { region: eu-west-1 }. Default: from the vendor's variables.",
      ),
    basePaths: z
      .partialRecord(upstreamProtocol, reference)
      .optional()
      .describe("The base paths of protocols that are not at 'origin', resolved against it."),
    listing: z
      .union([reference, z.literal(false)])
      .optional()
      .describe(
        "Its list of models, resolved against 'origin', or false if it has none. Default: /models of its first protocol.",
      ),
    key: credentials
      .optional()
      .describe(
        "Its credential, or a list of several; write a dollar sign and {NAME} to take one from the environment.",
      ),
    auth: z
      .union([auth, ...identities])
      .optional()
      .describe(
        "The header of its key, if not the usual one of its protocol; or a kind of authentication without a key.",
      ),
    platform: z
      .enum(Object.keys(platforms) as [Platform])
      .optional()
      .describe("The platform it runs on, where requests differ from their protocol."),
    headers: headers.optional().describe("Sent with every call."),
    traits: traits.optional(),
    protocolTraits: z
      .partialRecord(upstreamProtocol, traits)
      .optional()
      .describe("Traits for single protocols; they take precedence over 'traits'."),
    timeouts: timeouts.optional(),
    drain: z
      .int()
      .min(0)
      .max(DAY)
      .optional()
      .describe(
        "Milliseconds that a call continues after its client has disconnected; then it is cancelled and settled by what has arrived. Only for providers that charge nothing for cancelled output. Default: 0 for local presets; for others 'limits.drain', for streams.",
      ),
    routes: z
      .boolean()
      .optional()
      .describe("True if it is a router itself and understands the provider options of a request."),
    surcharges: z
      .array(
        z.strictObject({
          models: z.string().optional().describe("The models it applies to; * matches any text."),
          calls: z
            .partialRecord(z.enum(callUnits), usd)
            .optional()
            .describe("US dollars per call of a tool that the provider runs."),
          factors: factors.optional(),
        }),
      )
      .optional()
      .describe(
        "Its charges beyond tokens; the first row that matches a model applies. Default: the preset's.",
      ),
    batches: z
      .union([
        z.strictObject({
          protocols: z.array(upstreamProtocol).min(1).describe("The protocols of their requests."),
          factor: z.number().min(0).max(1).describe("The share of the usual token prices that they cost."),
        }),
        z.literal(false),
      ])
      .optional()
      .describe(
        "The batches that it runs itself, to which lines of batches are sent, or false if none are. Default: the preset's.",
      ),
    unpriced: z
      .enum(["refuse", "forward"])
      .optional()
      .describe(
        "Whether to refuse or forward members that it bills and that have no price. Default: refuse for presets of vendors and for routers, forward for others.",
      ),
    unknownIds: z
      .enum(["refuse", "forward"])
      .optional()
      .describe(
        "Whether to refuse or forward ids of files, containers and earlier responses that were in no response of this service. Default: forward.",
      ),
    concurrency: concurrency.optional(),
  })
  .refine(
    ({ preset, protocol, serves, origin }) =>
      preset !== undefined || ((protocol ?? serves) !== undefined && origin !== undefined),
    {
      message: "needs a preset, or protocol and origin, or serves and origin",
    },
  )
  .refine(({ auth, key }) => !auth || !("kind" in auth) || key === undefined, {
    message: "is not used beside an auth of this kind; remove it",
    path: ["key"],
  })
  .refine(({ auth, serves }) => !auth || !("kind" in auth) || auth.kind !== "aws" || serves === undefined, {
    message: "is not available with an auth of this kind, which is for text; use another provider",
    path: ["serves"],
  });
