import { createRequire } from "node:module";

const argon2 = createRequire(import.meta.url)("@node-rs/argon2");

/**
 * Stands in for argon2 in the processes of tests. It is slow on purpose, and tests that sign in spent two fifths of their
 * time on it; its own least cost tells passwords apart as well. `test/gateway/account/password.test.ts` has the usual
 * one.
 */
export const hash = (password: string): Promise<string> =>
  argon2.hash(password, { memoryCost: 8, timeCost: 1 });

export const verify = (hashed: string, password: string): Promise<boolean> => argon2.verify(hashed, password);
