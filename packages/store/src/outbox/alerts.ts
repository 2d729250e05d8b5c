import type { Engine, Work } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { JobKind, JobState } from "../jobs/job.ts";
import { windowsOf } from "../pricing/cap-windows.ts";
import type { Caps } from "../pricing/caps.ts";
import { CAPS, type Cap } from "../pricing/caps.ts";
import { type NewEvent, prepareRaise } from "./event.ts";

/** The choice of events that a store writes. */
export interface AlertOptions {
  /** Shares of a key's cap, in percent: an event is written when the spending reaches one. */
  caps?: readonly number[];
  /** Amounts in micro-USD: an event is written when a balance falls below one. */
  balances?: readonly number[];
  /** Write an event when a job ends. */
  jobs?: boolean;
  /** Write an event when a generation is orphaned, by a dead process or at a provider. */
  orphans?: boolean;
}

/** A window of a key's spending, after a charge. */
interface Window {
  kind: string;
  win: string;
  spent: number;
}

interface Spender {
  account: string;
  key: string | null;
}

type Orphan = Spender & Pick<Tables["generations"], "model" | "modality">;
type Ended = Pick<Tables["jobs"], "kind" | "account_id" | "key_id" | "model">;

/** The works of writing the chosen events. */
export interface Alerts {
  /** False if no events are chosen: ends then have no extra cost. */
  isOn(): boolean;
  /** Replaces the choice of events. */
  follow(options: AlertOptions): void;
  /** Writes the events of a charge, given the key's windows and the balance after it. */
  charged(
    who: Spender,
    charge: {
      cost: number;
      balance: number;
      windows: readonly Window[];
      caps: Caps;
      cause: string;
      at: number;
    },
  ): Work<void>;
  /** Writes the events of changed caps: the key's spending may now reach a share of them. */
  capped(who: { account: string; key: string }, caps: Caps, at: number): Work<void>;
  /** Writes the event that recovery has ended a generation of a dead process. */
  orphaned(id: string, generation: Orphan, end: { cost: number; at: number }): Work<void>;
  jobEnded(
    id: string,
    job: Ended,
    end: { state: JobState; cost: number; error?: string; orphan: boolean; at: number },
  ): Work<void>;
}

/** The shares of a limit, in percent, that lie above `before` and not above `after`. */
export const sharesReached = (
  limit: number,
  { before, after }: { before: number; after: number },
  shares: readonly number[],
): number[] =>
  shares.filter((share) => {
    const mark = Math.ceil((limit / 100) * share);
    return before < mark && after >= mark;
  });

export function prepareAlerts(engine: Engine, options: AlertOptions = {}): Alerts {
  let { caps: shares = [], balances = [], jobs = false, orphans = false } = options;
  const { db } = engine;
  const raise = prepareRaise(engine);

  const reached = (
    { account, key }: Spender,
    { kind, win, spent }: Window,
    { limit, before, at }: { limit: number; before: number; at: number },
  ): NewEvent[] =>
    sharesReached(limit, { before, after: spent }, shares).map((percent) => ({
      // The limit is part of the name, so a changed cap has new events.
      name: `cap ${key} ${kind} ${win} ${limit} ${percent}`,
      type: "key.cap_reached",
      accountId: account,
      data: { accountId: account, apiKeyId: key, cap: kind, window: win, percent, limit, spent },
      createdAt: at,
    }));

  return {
    isOn: () => shares.length + balances.length > 0 || jobs || orphans,
    follow(next) {
      ({ caps: shares = [], balances = [], jobs = false, orphans = false } = next);
    },
    *charged(who, { cost, balance, windows, caps, cause, at }) {
      if (cost === 0) return;
      const events = windows.flatMap((window) => {
        const limit = caps[window.kind as Cap];
        return limit === undefined ? [] : reached(who, window, { limit, before: window.spent - cost, at });
      });
      for (const threshold of balances)
        if (balance < threshold && balance + cost >= threshold)
          events.push({
            name: `balance ${who.account} ${threshold} ${cause}`,
            type: "account.balance_low",
            accountId: who.account,
            data: { accountId: who.account, threshold, balance },
            createdAt: at,
          });
      yield* raise(events);
    },
    *capped(who, caps, at) {
      if (shares.length === 0) return;
      const windows = windowsOf(at);
      const found = yield* run(
        db
          .selectFrom("key_spend")
          .select(["kind", "win", "spent"])
          .where("key_id", "=", who.key)
          .where((row) => row.or(CAPS.map((cap) => row.and({ kind: cap, win: windows[cap] })))),
      );
      for (const window of found) {
        const limit = caps[window.kind as Cap];
        // Events already written for this cap have the same names, and are skipped.
        if (limit !== undefined && limit > 0)
          yield* raise(reached(who, window, { limit, before: Number.NEGATIVE_INFINITY, at }));
      }
    },
    *orphaned(id, { account, key, model, modality }, { cost, at }) {
      if (!orphans) return;
      const owner = { accountId: account, ...(key !== null && { apiKeyId: key }) };
      const data = { generationId: id, ...owner, model, modality, why: "process_died", cost };
      yield* raise([
        { name: `orphan ${id}`, type: "generation.orphaned", accountId: account, data, createdAt: at },
      ]);
    },
    *jobEnded(id, { kind, account_id, key_id, model }, { state, cost, error, orphan, at }) {
      if ((kind as JobKind) === "asset") return;
      const owner = { accountId: account_id, ...(key_id !== null && { apiKeyId: key_id }) };
      const common = { accountId: account_id, createdAt: at };
      const ended = { jobId: id, kind, ...owner, model, status: state, cost, ...(error && { error }) };
      const modality = kind === "speech" ? "audio" : kind;
      const left = { generationId: id, ...owner, model, modality, why: "contact_lost", cost };
      yield* raise([
        ...(jobs ? [{ name: `job ${id}`, type: "job.ended", ...common, data: ended }] : []),
        ...(orphans && orphan
          ? [{ name: `orphan ${id}`, type: "generation.orphaned", ...common, data: left }]
          : []),
      ]);
    },
  };
}
