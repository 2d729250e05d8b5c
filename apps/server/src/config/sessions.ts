import { createPublicKey } from "node:crypto";
import { isProtectedUrl } from "@manifold-gateway/providers";
import { z } from "zod";
import { UNPROTECTED } from "./wire.ts";

function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem) !== undefined;
  } catch {
    return false;
  }
}

/** The accepted session tokens. */
export const sessions = z
  .strictObject({
    secret: z.string().min(32).optional().describe("Signs and verifies tokens (HS256): 32 bytes or more."),
    publicKey: z
      .string()
      .startsWith("-----BEGIN")
      .refine(isPublicKey, { error: "is no public key in PEM" })
      .optional()
      .describe("The public key that verifies tokens of another issuer, in PEM."),
    jwks: z
      .url({ protocol: /^https?$/ })
      .refine(isProtectedUrl, { error: UNPROTECTED })
      .optional()
      .describe("The URL of another issuer's keys."),
    algorithm: z
      .enum(["HS256", "EdDSA", "ES256", "ES384", "RS256", "PS256"])
      .optional()
      .describe("Default: HS256 with a secret, else EdDSA."),
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
  .describe("Sessions that are accepted beside API keys.");
