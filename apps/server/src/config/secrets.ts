import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tighten } from "@manifold-gateway/store";

/** The generated secrets of an installation without a configuration. */
export interface Secrets {
  session: string;
  seal: string;
}

/** Reads the secrets in a file that only its owner can read; the first start creates it. */
export function ensureSecrets(file: string): Secrets {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = { session: randomBytes(32).toString("hex"), seal: randomBytes(32).toString("hex") };
  // The complete file gets its name in one step, so that processes that start together read the same secrets.
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    linkSync(draft, file);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    tighten(file);
    return JSON.parse(readFileSync(file, "utf8")) as Secrets;
  } finally {
    rmSync(draft, { force: true });
  }
}
