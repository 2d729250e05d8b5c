import type { Simulator } from "@manifold-gateway/simulator";
import { HOUSES, type Member, type Use } from "./accounts.ts";
import type { Asking } from "./asks/ask.ts";
import { askEmbedding } from "./asks/embedding.ts";
import { askImage, askSpeech, askVideo } from "./asks/media.ts";
import { askRefused } from "./asks/refused.ts";
import { askText } from "./asks/text.ts";
import { createChance } from "./chance.ts";
import { createVirtualClock } from "./clock.ts";
import { openStage, type Stage } from "./demo-gateway.ts";
import { EVENTS } from "./events.ts";
import type { DemoHost } from "./host.ts";
import { MONTH, momentsOf } from "./month.ts";

export interface Making {
  host: DemoHost;
  simulator: Simulator;
  requests: number;
  seed: string;
  /** The end of the month that is made, in milliseconds since the epoch. */
  until: number;
  /** Called now and then with the number of requests made so far. */
  progress?(count: number): void;
}

const ASKING: Record<Use, Asking> = {
  text: askText,
  embedding: askEmbedding,
  image: askImage,
  video: askVideo,
  speech: askSpeech,
};

/** The fraction of requests that are refused as invalid. */
const REFUSED = 0.012;
const REPORT_EVERY = 250;

/** A key that sends requests, with its account. */
interface Player extends Member {
  account: string;
  id: string;
  key: string;
}

/** Makes a month of traffic in the empty store of a gateway. */
export async function makeMonth({ host, simulator, requests, seed, until, progress }: Making): Promise<void> {
  const chance = createChance(seed);
  const start = until - MONTH;
  const clock = createVirtualClock(start);
  const stage = await openStage({ host, simulator, clock });
  try {
    const players = await seat(stage, host, start);
    const generations = new Map<string, string[]>();
    const state = { accounts: accountsOf(players), generations };
    const events = [...EVENTS];
    for (const [index, moment] of momentsOf(requests, until, chance).entries()) {
      while (events[0] && start + events[0].at * MONTH <= moment) {
        clock.to(start + events[0].at * MONTH);
        await events.shift()?.run(stage, state);
      }
      clock.to(moment);
      const player = chance.weigh(players);
      const use = chance.weigh(usesOf(player));
      const asking = chance.next() < REFUSED ? askRefused : ASKING[use.use];
      const generation = await stage.play(asking(chance, player.models), player.key);
      if (generation !== undefined) note(generations, player.account, generation);
      if (index % REPORT_EVERY === 0) progress?.(index);
    }
    for (const event of events) await event.run(stage, state);
    await capNearly(stage, players);
  } finally {
    await stage.close();
  }
}

const note = (lists: Map<string, string[]>, name: string, item: string): void =>
  void lists.set(name, [...(lists.get(name) ?? []).slice(-20), item]);

const usesOf = ({ uses }: Player): { use: Use; weight: number }[] =>
  Object.entries(uses).map(([use, weight]) => ({ use: use as Use, weight }));

/** Creates the accounts and keys, by the operator's routes. */
async function seat(stage: Stage, host: DemoHost, at: number): Promise<Player[]> {
  const players: Player[] = [];
  for (const { name, credit, keys } of HOUSES) {
    let id: string;
    if (name === "dev") {
      // Created as a start does, so that the start finds it.
      await host.createAccount({ name, balance: credit, at });
      const { results } = await stage.operate("GET", "/accounts");
      id = results[0].id;
    } else {
      const made = await stage.operate("POST", "/accounts", { name });
      id = made.id;
      await stage.operate("POST", `/accounts/${id}/credit`, { amount: credit, reference: `opening-${id}` });
    }
    for (const member of keys) {
      const { limits, restrictions } = member;
      const body = { name: member.name, ...(limits && { limits }), ...(restrictions && { restrictions }) };
      const made = await stage.operate("POST", `/accounts/${id}/api-keys`, body);
      stage.clock.pass(40_000);
      players.push({ ...member, account: id, id: made.id, key: made.key });
    }
  }
  return players;
}

function accountsOf(players: readonly Player[]) {
  const accounts = new Map<string, { id: string; keys: Map<string, { id: string; key: string }> }>();
  let at = 0;
  for (const { name, keys } of HOUSES) {
    const members = players.slice(at, at + keys.length);
    at += keys.length;
    accounts.set(name, {
      id: members[0]?.account ?? "",
      keys: new Map(members.map(({ name, id, key }) => [name, { id, key }])),
    });
  }
  return accounts;
}

/** Sets the monthly caps of some keys so that most of each is spent. */
async function capNearly(stage: Stage, players: readonly Player[]): Promise<void> {
  for (const { reached, account, id } of players) {
    if (reached === undefined) continue;
    const path = `/accounts/${account}/api-keys/${id}/usage-limit`;
    const open = await stage.operate("PATCH", path, { monthly: 1_000_000, total: 1_000_000 });
    const limit = ({ spent }: { spent: number }) => Math.max(0.000001, Number((spent / reached).toFixed(6)));
    await stage.operate("PATCH", path, { monthly: limit(open.monthly), total: null });
  }
}
