import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** A secret as the Standard Webhooks specification writes it: `whsec_` and 24 to 64 bytes in base64. */
export const isWebhookSecret = (text: string): boolean => {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = bytesOf(text);
  return length >= 24 && length <= 64;
};

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

/** What is signed: the id, the time of the try in seconds, and the body as it is sent. */
export interface Signed {
  id: string;
  timestamp: number;
  body: string;
}

/** The headers that prove where a webhook comes from. With several secrets there is a signature by each. */
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
