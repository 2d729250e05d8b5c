import type { createLook, Need } from "./look.ts";
import { now } from "./moment.ts";
import { QUIET_MS, RECALL_WAIT_MS } from "./policy.ts";

const POLL_MS = 25;

/** Asks for credit that lies idle, and remembers for which accounts that was done of late. */
export interface Recalls {
  /**
   * Has the account's idle credit given back, here and by other processes, unless all of it would not cover what is
   * needed; many who ask at once wait for one.
   */
  recall(account: string, need?: Need): Promise<void>;
  /** Notes that another process has asked. */
  heard(account: string): void;
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
  const asked = new Map<string, number>();
  /** Accounts for which some process did not answer. */
  const unanswered = new Map<string, number>();
  const isRecent = (times: ReadonlyMap<string, number>, account: string): boolean =>
    now().steady - (times.get(account) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;

  const recall = async (account: string): Promise<void> => {
    asked.set(account, now().steady);
    await here.giveBack(account);
    if (isRecent(unanswered, account) || (await look.others(account)) === 0) return;
    const recall = await look.recall(account);
    const until = now().steady + RECALL_WAIT_MS;
    while ((await look.others(account, recall)) > 0) {
      if (now().steady >= until) {
        unanswered.set(account, until);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    here.done();
  };

  return {
    async recall(account, need) {
      const rest = need && (await look.rest(account, need));
      if (rest) {
        // It came back by itself since the refusal.
        if (rest.free >= need.amount) return here.done();
        if (rest.free + rest.leased < need.amount) return;
      }
      const before = underWay.get(account);
      if (before) return before;
      const one = recall(account).finally(() => underWay.delete(account));
      underWay.set(account, one);
      return one;
    },
    heard: (account) => void asked.set(account, now().steady),
    isQuiet: (account) => isRecent(asked, account),
    tidy() {
      for (const times of [asked, unanswered])
        for (const account of times.keys()) if (!isRecent(times, account)) times.delete(account);
    },
  };
}
