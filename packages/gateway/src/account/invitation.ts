import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { BrowserSession, Invitation } from "../ports/console.ts";

/** The sessions that a first-run link opens: an account by its id, an operator by its credential. */
export type Invited = { [name in BrowserSession]?: string };

const LIFE_MS = 600_000;

/** `madeAt` is in milliseconds since the epoch. */
export function createInvitation(invited: Invited, madeAt: number): Invitation {
  const token = randomBytes(32).toString("base64url");
  const open = { ...invited };
  return {
    token,
    accept(presented, to, at) {
      if (at > madeAt + LIFE_MS || !timingSafeEqual(digest(presented), digest(token))) return undefined;
      const who = open[to];
      delete open[to];
      return who;
    },
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
