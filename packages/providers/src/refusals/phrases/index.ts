import { chatstyle } from "./chatstyle.ts";
import { genstyle } from "./genstyle.ts";
import { hosts } from "./hosts.ts";
import { msgstyle } from "./msgstyle.ts";
import type { Phrase } from "./phrase.ts";
import { servers } from "./servers.ts";

export type { Finding, Phrase } from "./phrase.ts";

/** All known forms of words; the first that a statement begins with counts. Models of one vendor are served by others. */
export const phrases: readonly Phrase[] = [...chatstyle, ...msgstyle, ...genstyle, ...hosts, ...servers];
