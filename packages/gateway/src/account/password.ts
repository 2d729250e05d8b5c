import { hash, verify } from "@node-rs/argon2";

/** The slow hash of a password (argon2id), off the event loop. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Checks whether a password is the one of a hash. */
export const isPassword = (password: string, hashed: string): Promise<boolean> =>
  verify(hashed, password).catch(() => false);
