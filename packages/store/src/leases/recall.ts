import type { createLook, Need } from "./look.ts";
import { now } from "./moment.ts";
import { QUIET_MS, RECALL_WAIT_MS } from "./policy.ts";

const POLL_MS = 25;
/** The time for which an account's counter is remembered; one that was forgotten looks raised. */
const KNOWN_MS = 60_000;

interface Mark {
  recall: number;
  at: number;
}

/** Asks for credit that lies idle, and remembers for which accounts that was done of late. */
export interface Recalls {
  /**
   * Has the account's idle credit given back, here and by other processes, unless all of it would not cover what is
   * needed, or what is needed came back by itself after a first refusal; many who ask at once wait for one.
   */
  recall(account: string, need?: Need, isFirst?: boolean): Promise<void>;
  /** Notes how often somebody has asked, as the database has it. */
  seen(account: string, recall: number): void;
  /** True where somebody has asked of late: each request then holds for itself, so that the credit comes to them. */
  isQuiet(account: string): boolean;
  /** Forgets what is over. */
  tidy(): void;
}

export function createRecalls(
  look: Pick<ReturnType<typeof createLook>, "others" | "recall" | "rest">,
  here: { giveBack(account: string): Promise<void>; done(): void },
): Recalls {
  const underWay = new Map<string, Promise<void>>();
  /** By account: the counter of recalls, and when it was raised, as far as this process knows. */
  const asked = new Map<string, Mark>();
  /** By account: the last recall that some process did not answer, and when it was given up. */
  const unanswered = new Map<string, Mark>();
  const isSince = (mark: Mark | undefined, ms: number): mark is Mark =>
    mark !== undefined && now().steady - mark.at < ms;
  const note = (account: string, recall = asked.get(account)?.recall ?? 0): void =>
    void asked.set(account, { recall, at: now().steady });

  const recall = async (account: string): Promise<void> => {
    note(account);
    await here.giveBack(account);
    const silent = unanswered.get(account);
    // Processes that stand still are not waited for again; those that live may have opened leases since.
    const from = isSince(silent, QUIET_MS) ? silent.recall : 0;
    if ((await look.others(account, { from })) === 0) return;
    const before = await look.recall(account);
    note(account, before);
    const until = now().steady + RECALL_WAIT_MS;
    while ((await look.others(account, { before, from })) > 0) {
      if (now().steady >= until) {
        unanswered.set(account, { recall: before, at: until });
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // It stays quiet until those who waited are judged again.
    note(account);
    here.done();
  };

  return {
    async recall(account, need, isFirst = false) {
      const rest = need && (await look.rest(account, need));
      if (rest) {
        // It came back by itself since the refusal. Should others be quicker again, leases are to help.
        if (isFirst && rest.free >= need.amount) return here.done();
        if (rest.free + rest.leased < need.amount) return;
      }
      const before = underWay.get(account);
      if (before) return before;
      const one = recall(account).finally(() => underWay.delete(account));
      underWay.set(account, one);
      return one;
    },
    seen(account, recall) {
      if (recall > (asked.get(account)?.recall ?? 0)) note(account, recall);
    },
    isQuiet: (account) => isSince(asked.get(account), QUIET_MS),
    tidy() {
      for (const marks of [asked, unanswered])
        for (const [account, mark] of marks) if (!isSince(mark, KNOWN_MS)) marks.delete(account);
    },
  };
}
