import type { KeyVault } from "@manifold-gateway/gateway/admin";
import type { Simulator } from "@manifold-gateway/simulator";
import type { Store } from "@manifold-gateway/store";

const PATH = "/api/v1/video/generations";
/** A key without caps, so that no order is refused for them. */
const OWNER = { account: "dev", key: "search" };

/** Videos with the number of polls, about two seconds apart, in each state. The second begins after the first ends. */
const ORDERS = [
  { text: "A ferry that leaves at ten past seven, seen from the quay.", course: "[[outcome:running=32]]" },
  { text: "An atlas whose maps turn into the sea.", course: "[[outcome:queued=35,running=20]]" },
] as const;

interface Started {
  origin: string;
  store: Store;
  simulator: Simulator;
  /** Opens the sealed keys of the store; undefined where keys are not sealed. */
  keyVault: KeyVault | undefined;
}

/** Orders videos that run and wait when the console opens. Without the demonstration's key it orders none. */
export async function orderVideos({ origin, store, simulator, keyVault }: Started): Promise<void> {
  const key = await findKey(store, keyVault);
  if (key === undefined) return;
  for (const { text, course } of ORDERS) {
    const unscript = simulator.script(course, { operation: "video" });
    // The answer comes when the provider has taken the order, so that each meets its own script.
    const response = await fetch(origin + PATH, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ model: "sim-video-fast", content: [{ type: "text", text }] }),
    });
    await response.arrayBuffer();
    unscript();
  }
}

async function findKey(store: Store, vault: KeyVault | undefined): Promise<string | undefined> {
  const account = (await store.accounts.findLogin(OWNER.account))?.account;
  if (!vault || !account) return undefined;
  const key = (await store.keys.list(account.id)).find(
    ({ name, isActive }) => isActive && name === OWNER.key,
  );
  const sealed = key && (await store.keys.sealed({ accountId: account.id, id: key.id }));
  return sealed && vault.open(sealed, key.id);
}
