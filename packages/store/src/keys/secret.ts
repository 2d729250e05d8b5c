import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * A caller's key: `mfk_`, 32 random bytes in 43 base62 characters, and a checksum in 6. The prefix lets scanners
 * find leaked keys, the underscore lets a double click select all of it, and the checksum rejects typing errors
 * without a lookup.
 */
const PREFIX = "mfk_";
const RANDOM = 43;
const CHECK = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECK}}$`);
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes a new key. `random` returns the given number of random bytes. */
export function mintKey(random: (bytes: number) => Uint8Array = randomBytes): string {
  const body = PREFIX + toBase62(BigInt(`0x${Buffer.from(random(32)).toString("hex")}`), RANDOM);
  return body + checksum(body);
}

/** True if `text` has the form and the checksum of a key. */
export function isKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECK)) === text.slice(-CHECK);
}

/** False for a text that has the prefix of this service's keys but is not a valid key: no lookup could find it. */
export const couldBeKey = (text: string): boolean => !text.startsWith(PREFIX) || isKey(text);

/**
 * The value by which a key is looked up: its SHA-256, in hex. 256 random bits do not need a slow hash.
 */
export const lookupHash = (key: string): string => hash("sha256", key, "hex");

/** The start of a key, by which its owner recognizes it: at most a fifth of it. */
export const prefixOf = (key: string): string =>
  key.slice(0, Math.min(PREFIX.length + 6, Math.floor(key.length / 5)));

/** A key encrypted so that its owner can reveal it. `version` names the deployment's secret that encrypted it. */
export interface Sealed {
  /** Ciphertext and tag, base64url. */
  ciphertext: string;
  /** 96 bits, base64url. */
  nonce: string;
  /** The number of the deployment's secret that encrypted it. */
  version: number;
}

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

/** Encrypts `key` with a 32-byte secret, bound to `keyId`, so that it cannot be opened from another row. */
export function sealKey(key: string, keyId: string, secret: Uint8Array, version: number): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(keyId));
  const ciphertext = Buffer.concat([cipher.update(key, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { ciphertext: ciphertext.toString("base64url"), nonce: nonce.toString("base64url"), version };
}

/** Decrypts a key of `sealKey`. Throws if the secret, the key id or any bit differs. */
export function openKey(sealed: Sealed, keyId: string, secret: Uint8Array): string {
  const bytes = Buffer.from(sealed.ciphertext, "base64url");
  const decipher = createDecipheriv(CIPHER, secret, Buffer.from(sealed.nonce, "base64url"), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(keyId)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
}

const checksum = (text: string) => toBase62(BigInt(crc32(text)), CHECK);

function toBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(length, "0");
}
