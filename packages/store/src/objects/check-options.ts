import { any, boolean, number, object, optional, string } from "@manifold-gateway/core/schema";
import { check } from "../check-options.ts";

const text = string({ min: 1 });
const limit = optional(number({ integer: true, min: 1 }));
const now = optional(any());
const endpoint = optional(
  string({ pattern: /^https?:\/\/\w/, message: "must be an address with http: or https:" }),
);

const other = optional(any());
const credentials = object({
  ...{ accessKeyId: text, secretAccessKey: text, sessionToken: optional(text) },
  // What the vendor's own sources of credentials add.
  ...{ accountId: other, credentialScope: other, expiration: other, $source: other },
});

const disk = object({ folder: text, links: object({}), limit, now });
const bucket = object({
  bucket: text,
  region: text,
  endpoint,
  publicEndpoint: endpoint,
  credentials: optional(credentials),
  pathStyle: optional(boolean()),
  prefix: optional(string()),
  limit,
  now,
});

/** Throws a `TypeError` that names the options of a folder that are wrong. */
export const checkDisk = (options: unknown): void => check("openDisk", disk, options);
/** The same for a bucket. */
export const checkBucket = (options: unknown): void => check("openBucket", bucket, options);
