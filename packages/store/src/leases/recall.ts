import { QUIET_MS, RECALL_WAIT_MS } from "./policy.ts";
import type { createLeaseReader, Need } from "./read-leases.ts";
import { now } from "./two-clocks.ts";

const POLL_MS = 25;
/** The time for which an account's counter is remembered; a forgotten counter looks as if it had just been raised. */
const KNOWN_MS = 60_000;

interface Mark {
  recall: number;
  at: number;
}

/** Recalls idle credit, and remembers for which accounts that was done recently. */
export interface Recalls {
  /**
   * Has the account's idle credit given back, here and by other processes. Does nothing if all of it would not cover
   * the need, or if enough came back by itself after a first refusal. Simultaneous calls share one recall.
   */
  recall(account: string, need?: Need, isFirst?: boolean): Promise<void>;
  /** Takes note of the account's counter of recalls, as read from the database. */
  seen(account: string, recall: number): void;
  /** True if credit was recalled recently: each request then makes its own hold, which leaves credit to the others. */
  isQuiet(account: string): boolean;
  /** Forgets old recalls. */
  tidy(): void;
}

export function createRecalls(
  reader: Pick<ReturnType<typeof createLeaseReader>, "others" | "recall" | "rest">,
  here: { giveBack(account: string): Promise<void>; done(): void },
): Recalls {
  const underWay = new Map<string, Promise<void>>();
  /** Each account's counter of recalls, and when this process learned of it. */
  const requested = new Map<string, Mark>();
  /** Each account's last recall that some process did not answer, and when the wait was given up. */
  const unanswered = new Map<string, Mark>();
  const isSince = (mark: Mark | undefined, ms: number): mark is Mark =>
    mark !== undefined && now().steady - mark.at < ms;
  const note = (account: string, recall = requested.get(account)?.recall ?? 0): void =>
    void requested.set(account, { recall, at: now().steady });

  const recall = async (account: string): Promise<void> => {
    note(account);
    await here.giveBack(account);
    const silent = unanswered.get(account);
    // Processes that did not answer are not waited for again; live ones may have opened leases since.
    const from = isSince(silent, QUIET_MS) ? silent.recall : 0;
    if ((await reader.others(account, { from })) === 0) return;
    const before = await reader.recall(account);
    note(account, before);
    const until = now().steady + RECALL_WAIT_MS;
    while ((await reader.others(account, { before, from })) > 0) {
      if (now().steady >= until) {
        unanswered.set(account, { recall: before, at: until });
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // The quiet time begins anew, so that the waiting requests are tried again before leases take the credit.
    note(account);
    here.done();
  };

  return {
    async recall(account, need, isFirst = false) {
      const rest = need && (await reader.rest(account, need));
      if (rest) {
        // Enough came back by itself since the refusal. If other requests take it first, the next try recalls.
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
      if (recall > (requested.get(account)?.recall ?? 0)) note(account, recall);
    },
    isQuiet: (account) => isSince(requested.get(account), QUIET_MS),
    tidy() {
      for (const marks of [requested, unanswered])
        for (const [account, mark] of marks) if (!isSince(mark, KNOWN_MS)) marks.delete(account);
    },
  };
}
