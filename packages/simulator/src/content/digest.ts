import { createHash, createHmac } from "node:crypto";

const KEY = "the simulator's own seal";

/** The SHA-256 of texts in hexadecimal, from which ids, vectors and cache keys are derived. */
export function digest(...texts: string[]): string {
  return createHash("sha256").update(texts.join("\n")).digest("hex");
}

const mac = (kind: string, payload: string): string =>
  createHmac("sha256", KEY).update(`${kind}\n${payload}`).digest("base64");

/** An opaque base64 string that only the simulator can have issued: a signature or encrypted reasoning. */
export function seal(kind: string, payload: string): string {
  return Buffer.from(JSON.stringify([kind, payload, mac(kind, payload)])).toString("base64");
}

/** The payload of a seal of this kind, or undefined when it is foreign or was altered. */
export function unseal(kind: string, value: string): string | undefined {
  try {
    const [sealed, payload, check] = JSON.parse(Buffer.from(value, "base64").toString()) as unknown[];
    if (sealed !== kind || typeof payload !== "string" || check !== mac(kind, payload)) return undefined;
    return seal(kind, payload) === value ? payload : undefined;
  } catch {
    return undefined;
  }
}
