import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** Checks a secret's format by the Standard Webhooks specification: `whsec_` and 24 to 64 bytes in base64. */
export const isWebhookSecret = (text: string): boolean => {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = bytesOf(text);
  return length >= 24 && length <= 64;
};

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

/** The signed data: the id, the time of the try in seconds, and the body as it is sent. */
export interface Signed {
  id: string;
  timestamp: number;
  body: string;
}

/** The headers that prove a webhook's origin, with a signature for each secret. */
export function signatureHeaders(
  { id, timestamp, body }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", bytesOf(secret)).update(content).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
