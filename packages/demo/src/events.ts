import type { Stage } from "./demo-gateway.ts";
import { FILES } from "./files.ts";
import { FIXED } from "./requests/fixed.ts";

/** The results of the traffic so far, for the events. */
export interface DemoState {
  /** The accounts by their names, with their ids, and their keys with ids and secrets. */
  accounts: ReadonlyMap<string, { id: string; keys: ReadonlyMap<string, { id: string; key: string }> }>;
  /** The latest generations of each account, the newest last. */
  generations: ReadonlyMap<string, readonly string[]>;
}

/** Something that happens at a time of the month, in addition to the traffic. */
interface Event {
  at: number;
  run(stage: Stage, state: DemoState): Promise<unknown>;
}

const account = ({ accounts }: DemoState, name: string) => {
  const found = accounts.get(name);
  if (!found) throw new Error(`no account ${name}`);
  return found;
};
const key = (state: DemoState, owner: string, name: string) => {
  const found = account(state, owner).keys.get(name);
  if (!found) throw new Error(`no key ${name}`);
  return { ...found, path: `/accounts/${account(state, owner).id}/api-keys/${found.id}` };
};

const credit =
  (owner: string, amount: number, reference: string, kind = "topup"): Event["run"] =>
  (stage, state) =>
    stage.operate("POST", `/accounts/${account(state, owner).id}/credit`, { amount, kind, reference });

const asset =
  (owner: string, by: string, file: string, name: string): Event["run"] =>
  (stage, state) =>
    stage.send(
      {
        path: "/api/v1/kyc/user/assets",
        body: { url: FILES + file, name },
        job: "/api/v1/kyc/user/assets/",
      },
      key(state, owner, by).key,
    );

/** Refunds the last charge of an account, or a part of it. Generations that failed may have cost nothing. */
const refund =
  (owner: string, amount?: number): Event["run"] =>
  async (stage, state) => {
    const { id, keys } = account(state, owner);
    const credential = { "x-api-key": [...keys.values()][0]?.key ?? "" };
    for (const generationId of (state.generations.get(id) ?? []).toReversed()) {
      const record = await (await stage.call(`/api/compat/v1/usage/${generationId}`, credential)).json();
      if (!((record as { microCost?: number }).microCost ?? 0)) continue;
      await stage.operate("POST", `/accounts/${id}/refunds`, { generationId, ...(amount && { amount }) });
      return;
    }
  };

/** The requests of every month, spread over its last days. */
const fixedEvents = FIXED.map(
  ([name, request], index): Event => ({
    at: 0.86 + index * 0.01,
    run: (stage, state) => stage.send(request, key(state, "dev", name).key),
  }),
);

const events: readonly Event[] = [
  { at: 0.08, run: asset("dev", "studio", "640x640.png", "portrait of the author") },
  { at: 0.1, run: asset("dev", "studio", "200x200.png", "thumbnail") },
  { at: 0.3, run: credit("Field Lab", 0.01, "grant-2") },
  {
    at: 0.35,
    run: (stage, state) =>
      stage.operate("PATCH", key(state, "dev", "support").path, { name: "support desk" }),
  },
  { at: 0.4, run: refund("dev") },
  { at: 0.5, run: credit("Harbour Books", 50, "invoice-1042") },
  { at: 0.52, run: (stage) => stage.call("/api/admin/accounts", { "x-admin-key": "a guess that is wrong" }) },
  { at: 0.55, run: (stage, state) => stage.operate("DELETE", key(state, "Field Lab", "old laptop").path) },
  { at: 0.6, run: credit("Field Lab", 25, "grant-3") },
  { at: 0.7, run: refund("Harbour Books", 0.000001) },
  {
    at: 0.75,
    run: (stage, state) =>
      stage.operate("PATCH", key(state, "Harbour Books", "letters").path, {
        restrictions: { requestsPerMinute: 120 },
      }),
  },
  { at: 0.8, run: credit("Harbour Books", 5, "goodwill-7", "writeoff") },
  {
    at: 0.9,
    run: (stage, state) =>
      stage.operate("PATCH", `${key(state, "dev", "website").path}/usage-limit`, { monthly: 500 }),
  },
];

/** All events, in the order of time. */
export const EVENTS: readonly Event[] = [...events, ...fixedEvents].sort((one, other) => one.at - other.at);
