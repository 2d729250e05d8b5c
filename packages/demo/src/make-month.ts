import type { Simulator } from "@manifold-gateway/simulator";
import { ACCOUNTS, type DemoKey, type Use } from "./accounts.ts";
import { createVirtualClock } from "./clock.ts";
import { openStage, type Stage } from "./demo-gateway.ts";
import { EVENTS } from "./events.ts";
import type { DemoHost } from "./host.ts";
import { createRandom } from "./random.ts";
import { MONTH, requestTimes } from "./request-times.ts";
import { createEmbeddingRequest } from "./requests/embedding.ts";
import { createImageRequest, createSpeechRequest, createVideoRequest } from "./requests/media.ts";
import { createRefusedRequest } from "./requests/refused.ts";
import { createTextRequest } from "./requests/text.ts";
import type { CreateRequest } from "./requests/traffic-request.ts";

export interface MonthOptions {
  host: DemoHost;
  simulator: Simulator;
  requests: number;
  seed: string;
  /** The end of the month, in milliseconds since the epoch. */
  until: number;
  /** Called from time to time with the number of requests made so far. */
  progress?(count: number): void;
}

const CREATE_REQUEST: Record<Use, CreateRequest> = {
  text: createTextRequest,
  embedding: createEmbeddingRequest,
  image: createImageRequest,
  video: createVideoRequest,
  speech: createSpeechRequest,
};

/** The fraction of requests that are refused as invalid. */
const REFUSED = 0.012;
const REPORT_EVERY = 250;

/** A key that sends requests, with its account. */
interface CreatedKey extends DemoKey {
  account: string;
  id: string;
  key: string;
}

/** Makes a month of traffic in the empty store of a gateway. */
export async function makeMonth({
  host,
  simulator,
  requests,
  seed,
  until,
  progress,
}: MonthOptions): Promise<void> {
  const random = createRandom(seed);
  const start = until - MONTH;
  const clock = createVirtualClock(start);
  const stage = await openStage({ host, simulator, clock });
  try {
    const createdKeys = await createAccounts(stage, host, start);
    const generations = new Map<string, string[]>();
    const state = { accounts: accountsOf(createdKeys), generations };
    const events = [...EVENTS];
    for (const [index, moment] of requestTimes(requests, until, random).entries()) {
      while (events[0] && start + events[0].at * MONTH <= moment) {
        clock.to(start + events[0].at * MONTH);
        await events.shift()?.run(stage, state);
      }
      clock.to(moment);
      const createdKey = random.pickWeighted(createdKeys);
      const use = random.pickWeighted(usesOf(createdKey));
      const createRequest = random.next() < REFUSED ? createRefusedRequest : CREATE_REQUEST[use.use];
      const generation = await stage.send(createRequest(random, createdKey.models), createdKey.key);
      if (generation !== undefined) note(generations, createdKey.account, generation);
      if (index % REPORT_EVERY === 0) progress?.(index);
    }
    for (const event of events) await event.run(stage, state);
    await setNearlySpentCaps(stage, createdKeys);
  } finally {
    await stage.close();
  }
}

const note = (lists: Map<string, string[]>, name: string, item: string): void =>
  void lists.set(name, [...(lists.get(name) ?? []).slice(-20), item]);

const usesOf = ({ uses }: CreatedKey): { use: Use; weight: number }[] =>
  Object.entries(uses).map(([use, weight]) => ({ use: use as Use, weight }));

/** Creates the accounts and keys, by the operator's routes. */
async function createAccounts(stage: Stage, host: DemoHost, at: number): Promise<CreatedKey[]> {
  const createdKeys: CreatedKey[] = [];
  for (const { name, credit, keys } of ACCOUNTS) {
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
    for (const demoKey of keys) {
      const { limits, restrictions } = demoKey;
      const body = { name: demoKey.name, ...(limits && { limits }), ...(restrictions && { restrictions }) };
      const made = await stage.operate("POST", `/accounts/${id}/api-keys`, body);
      stage.clock.pass(40_000);
      createdKeys.push({ ...demoKey, account: id, id: made.id, key: made.key });
    }
  }
  return createdKeys;
}

function accountsOf(createdKeys: readonly CreatedKey[]) {
  const accounts = new Map<string, { id: string; keys: Map<string, { id: string; key: string }> }>();
  let at = 0;
  for (const { name, keys } of ACCOUNTS) {
    const accountKeys = createdKeys.slice(at, at + keys.length);
    at += keys.length;
    accounts.set(name, {
      id: accountKeys[0]?.account ?? "",
      keys: new Map(accountKeys.map(({ name, id, key }) => [name, { id, key }])),
    });
  }
  return accounts;
}

/** Sets the monthly caps of some keys so that most of each is spent. */
async function setNearlySpentCaps(stage: Stage, createdKeys: readonly CreatedKey[]): Promise<void> {
  for (const { reached, account, id } of createdKeys) {
    if (reached === undefined) continue;
    const path = `/accounts/${account}/api-keys/${id}/usage-limit`;
    const open = await stage.operate("PATCH", path, { monthly: 1_000_000, total: 1_000_000 });
    const limit = ({ spent }: { spent: number }) => Math.max(0.000001, Number((spent / reached).toFixed(6)));
    await stage.operate("PATCH", path, { monthly: limit(open.monthly), total: null });
  }
}
