import { bytesOf } from "../transport/transport.ts";
import type { Identity } from "./identity.ts";

/** Keys of an account of Amazon Web Services; each call is signed with them (Signature Version 4). */
export interface SignedIdentity {
  kind: "aws";
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The session token of temporary keys. */
  sessionToken?: string | undefined;
  /** The service named in signatures. Default: `bedrock-mantle` or `bedrock`, by the beginning of the host. */
  service?: string | undefined;
}

/** The service named in signatures, by the beginning of the host. */
const serviceOf = (host: string): string =>
  host.startsWith("bedrock-mantle.") ? "bedrock-mantle" : "bedrock";

export function signedIdentity(
  { region, accessKeyId, secretAccessKey, sessionToken, service }: SignedIdentity,
  now: () => number = Date.now,
): Identity {
  return {
    async headers({ origin, path, method, body }) {
      const { AwsV4Signer } = await import("aws4fetch");
      const url = new URL(origin + path);
      const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, "");
      const signer = new AwsV4Signer({
        ...{ url: url.href, method, accessKeyId, secretAccessKey, region, datetime },
        service: service ?? serviceOf(url.hostname),
        headers: {},
        ...(body !== undefined && { body: typeof body === "string" ? body : (bytesOf(body) as BodyInit) }),
        ...(sessionToken !== undefined && { sessionToken }),
      });
      const signed = await signer.sign();
      return Object.fromEntries(signed.headers);
    },
    // Refused keys are not replaced: there are no others.
    refused() {},
    secrets: () => [accessKeyId, secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])],
  };
}
