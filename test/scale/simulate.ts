import { CHECK_MS } from "../../packages/store/src/leases/policy.ts";
import { createClock } from "./clock.ts";
import { type Account, createAccount, createDatabase, type Delays } from "./database.ts";
import { Holder, type World } from "./holder.ts";
import { createMeasure, leftOf, type Totals } from "./measure.ts";
import { createRandom } from "./random.ts";

/** Amounts are micro-USD, times are ms. */
export interface Scenario extends Delays {
  seed: number;
  processes: number;
  accounts: number;
  /** `spread`: any process may serve any account. `home`: each account has one process that serves it. */
  routing: "spread" | "home";
  requestsPerSecond: number;
  /** Commits and times are measured from here on. */
  warmMs: number;
  /** For how long requests come; after it the run goes on until all is given back. */
  lastsMs: number;
  /** Of each account at the start. */
  balance: number;
  endsChange: World["endsChange"];
  /** How many processes die, one after the other, from the second on that is named. */
  deaths?: { count: number; fromMs: number };
  /** Now and then a request holds this share of all that is left, in leases too, and comes to very little. */
  large?: { everyMs: number; share: number };
}

export interface Result extends Totals {
  scenario: Scenario;
  commitsPerSecond: number;
  accountCommitsPerSecond: number;
  /** Of the busiest account, while requests came: the part of the time in which its row was locked. */
  busiest: number;
  endedPerSecond: number;
  spentPerSecond: number;
  /** What is still held at the very end, and what the balances lost beyond what was charged. */
  heldAtEnd: number;
  unexplained: number;
  /** What is left of all balances. */
  left: number;
}

const SAMPLE_MS = 500;
const SILENT_MS = 30_000;
const DRAIN_MS = 60_000;
const FORGET_MS = 5_000;
/** What is known of a request that was cut off: a little less than what it came to by then. */
const NOTED = 0.9;

export function simulate(scenario: Scenario): Result {
  const { processes, accounts: count, warmMs, lastsMs, balance } = scenario;
  const random = createRandom(scenario.seed);
  const clock = createClock();
  const database = createDatabase(clock, scenario);
  const accounts = new Map<number, Account>();
  const holdersOf = new Map<Account, Map<number, Holder>>();
  const measure = createMeasure((account) => holdersOf.get(account)?.values() ?? []);
  const world: World = { clock, database, measure, endsChange: scenario.endsChange };
  const mine: Map<Account, Holder>[] = Array.from({ length: processes }, () => new Map());
  const dead = new Set<number>();
  let chargedForDead = 0;

  const accountOf = (id: number): Account => {
    const known = accounts.get(id);
    if (known) return known;
    const begun = createAccount(id, balance);
    accounts.set(id, begun);
    holdersOf.set(begun, new Map());
    return begun;
  };

  const holderOf = (process: number, account: Account): Holder => {
    const known = mine[process]!.get(account);
    if (known) return known;
    const begun = new Holder(world, process, account);
    mine[process]!.set(account, begun);
    holdersOf.get(account)!.set(process, begun);
    return begun;
  };

  const forget = (process: number, account: Account): void => {
    mine[process]!.delete(account);
    holdersOf.get(account)!.delete(process);
  };

  const arrive = (): void => {
    if (clock.now() >= lastsMs) return;
    clock.after(random.wait(1_000 / scenario.requestsPerSecond), arrive);
    const id = Math.floor(random.next() * count);
    const process = scenario.routing === "home" ? id % processes : Math.floor(random.next() * processes);
    // One in a hundred is large.
    const hold = random.between(500, 2_000) * (random.next() < 0.01 ? 20 : 1);
    const cost = Math.ceil(hold * (0.1 + 0.9 * random.next()));
    const takesMs = 200 + random.wait(800);
    if (dead.has(process)) return;
    holderOf(process, accountOf(id)).ask({ hold, cost, takesMs, askedAt: clock.now() });
  };

  const askMuch = ({ everyMs, share }: { everyMs: number; share: number }): void => {
    if (clock.now() >= lastsMs) return;
    clock.after(everyMs, () => askMuch({ everyMs, share }));
    const account = accountOf(0);
    const { living } = leftOf(account, holdersOf.get(account)!.values());
    const hold = Math.floor(Math.max(0, living) * share);
    const request = { hold, cost: Math.min(hold, 1_000), takesMs: 1_000, askedAt: clock.now() };
    holderOf(Math.floor(random.next() * processes), account).ask(request);
  };

  const idleSince = new Map<Holder, number>();
  const check = (process: number): void => {
    if (dead.has(process)) return;
    clock.after(CHECK_MS, () => check(process));
    for (const [account, holder] of mine[process]!) {
      holder.check();
      if (!holder.isIdle()) idleSince.delete(holder);
      else if (clock.now() - (idleSince.get(holder) ?? clock.now()) > FORGET_MS) {
        idleSince.delete(holder);
        forget(process, account);
      } else if (!idleSince.has(holder)) idleSince.set(holder, clock.now());
    }
  };

  /** What it had is charged by what was noted, and the rest goes free. */
  const recover = (process: number, account: Account, noted: number): void => {
    database.onAccount(
      account,
      () => {
        const row = account.leases.get(process);
        if (!row) return false;
        const charge = row.spent + Math.min(noted, row.amount - row.spent);
        chargedForDead += charge - row.spent;
        account.balance -= charge;
        account.held -= row.amount;
        account.leases.delete(process);
        return true;
      },
      () => forget(process, account),
    );
  };

  const die = (process: number): void => {
    dead.add(process);
    for (const [account, holder] of mine[process]!) {
      holder.isDead = true;
      let noted = 0;
      for (const { cost, startedAt = 0, takesMs } of holder.promised())
        noted += Math.floor(cost * NOTED * Math.min(1, (clock.now() - startedAt) / takesMs));
      clock.after(SILENT_MS, () => recover(process, account, noted));
    }
  };

  const sample = (): void => {
    measure.sample(accounts.values());
    if (clock.now() < lastsMs) clock.after(SAMPLE_MS, sample);
  };

  arrive();
  sample();
  for (let process = 0; process < processes; process++)
    clock.after(random.next() * CHECK_MS, () => check(process));
  const { deaths = { count: 0, fromMs: 0 } } = scenario;
  const { large } = scenario;
  if (large) clock.after(large.everyMs, () => askMuch(large));
  for (let i = 0; i < deaths.count; i++) clock.after(deaths.fromMs + 20 * i, () => die(i));

  clock.runUntil(warmMs);
  measure.warmed();
  const seen = () => ({
    commits: database.commits(),
    accountCommits: database.accountCommits(),
    ended: measure.totals.ended,
    charged: measure.totals.charged,
    locked: new Map([...accounts.values()].map((account) => [account, account.lockedMs])),
  });
  const before = seen();
  clock.runUntil(lastsMs);
  const after = seen();
  const perSecond = (what: "commits" | "accountCommits" | "ended" | "charged"): number =>
    (1_000 * (after[what] - before[what])) / (lastsMs - warmMs);
  let locked = 0;
  for (const [account, ms] of after.locked) locked = Math.max(locked, ms - (before.locked.get(account) ?? 0));
  const result = {
    scenario,
    commitsPerSecond: perSecond("commits"),
    accountCommitsPerSecond: perSecond("accountCommits"),
    endedPerSecond: perSecond("ended"),
    spentPerSecond: perSecond("charged"),
    busiest: locked / (lastsMs - warmMs),
  };
  const { starts, ends, idle } = measure.totals;
  measure.warmed();
  clock.runUntil(lastsMs + DRAIN_MS);
  measure.sample(accounts.values());
  const all = [...accounts.values()];
  const held = all.reduce((sum, one) => sum + one.held, 0);
  const lost = all.reduce((sum, one) => sum + balance - one.balance, 0);
  const unexplained = lost - measure.totals.charged - chargedForDead;
  const left = all.reduce((sum, one) => sum + one.balance, 0);
  return { ...measure.totals, starts, ends, idle, ...result, heldAtEnd: held, unexplained, left };
}
