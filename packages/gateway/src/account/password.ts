import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** Loads argon2id, a native library, which some runtimes have no build of. */
const load = () => import("@node-rs/argon2").catch(() => undefined);

/** OWASP's choice if argon2 is not available, in its form with 32 MiB: some runtimes have little memory. */
const SCRYPT = { logN: 15, r: 8, p: 3 };
const SCRYPT_HASH = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22,})\$([\w+/]{43})$/;

/** Hashes a password slowly, off the event loop: by argon2id, or by scrypt if that is not available. */
export async function hashPassword(password: string, library = load): Promise<string> {
  const argon2 = await library();
  return argon2 ? argon2.hash(password) : hashByScrypt(password);
}

/**
 * Checks a password against a hash of either kind; no password matches another text. Throws for a hash by argon2id where
 * that is not available: the password may be right.
 */
export async function isPassword(password: string, hashed: string, library = load): Promise<boolean> {
  const [, logN, r, p, salt, key] = SCRYPT_HASH.exec(hashed) ?? [];
  if (key === undefined) return isByArgon2(password, hashed, library);
  const made = await derive(password, Buffer.from(salt!, "base64"), {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
  }).catch(() => undefined);
  return made !== undefined && timingSafeEqual(made, Buffer.from(key, "base64"));
}

async function isByArgon2(password: string, hashed: string, library: typeof load): Promise<boolean> {
  if (!hashed.startsWith("$argon2")) return false;
  const argon2 = await library();
  if (!argon2)
    throw new Error("A password hashed with argon2id cannot be checked: argon2 is not available here.");
  return argon2.verify(hashed, password).catch(() => false);
}

async function hashByScrypt(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, SCRYPT);
  const { logN, r, p } = SCRYPT;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${encode(salt)}$${encode(key)}`;
}

const encode = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

function derive(password: string, salt: Buffer, { logN, r, p }: typeof SCRYPT): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) =>
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}
