import { alertsFor, type Invitation, type Log } from "@manifold-gateway/gateway";
import { createTransport } from "@manifold-gateway/providers";
import {
  openPostgres,
  openSqlite,
  type ReaderOptions,
  type Store,
  type StoreOptions,
} from "@manifold-gateway/store";
import { openLiveCatalog } from "./catalog/live-catalog.ts";
import { keyVaultOf } from "./config/build.ts";
import { CurrentConfig } from "./config/current-config.ts";
import { declaredConfig } from "./config/declarations.ts";
import { warnOfDoubts } from "./config/doubts/warn.ts";
import type { Settings } from "./config/load.ts";
import { readerOf, storeUrl } from "./config/store.ts";
import { ensureConfigured } from "./configured-accounts.ts";
import { type OpenedMedia, openMedia } from "./media-store.ts";
import type { Member } from "./processes/member.ts";
import { Host, webhooksOf } from "./running-host.ts";
import { startTelemetry, type Watching } from "./telemetry/start.ts";
import { warnOfLostKeys } from "./unreadable-keys.ts";
import { warmUpProcess } from "./warm-up.ts";

export type { Host };

/** The interval of checks for holds of dead processes, pending settlements and changes of the catalog. */
const ROUND_MS = 5_000;

export interface HostOptions extends Settings {
  log: Log;
  /** See `LiveCatalogOptions`. */
  standIns?: boolean;
  /** The person whom this start's link signs in to the console, on the machine itself. */
  invitation?(): Invitation | undefined;
  /** Creates accounts and keys before anything listens. Default: those of the configuration. */
  prepare?(store: Store): Promise<void>;
  /** The identity of this process, if it is one of several. */
  member?: Member;
  /** Opens the store; replaced in tests. */
  open?: typeof openStore;
  roundMs?: number;
  /** Warms up before it listens: see `server.warmUp`. Default: false. */
  warmUp?: boolean;
}

/** Opens and migrates the store that a configuration names. */
export function openStore(
  url: string,
  options: StoreOptions & { reader?: ReaderOptions } = {},
): Promise<Store> {
  if (!url.startsWith("sqlite:")) return openPostgres({ url, calls: "./data/calls", ...options });
  return openSqlite({ path: url.slice("sqlite:".length), ...options });
}

/** Starts storage, recovery, accounts and catalog, and then a host, which listens. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { config, log, member, invitation, roundMs = ROUND_MS, warmUp = false } = options;
  const store = await openHostStore(options);
  let media: OpenedMedia | undefined;
  let watching: Watching | undefined;
  try {
    await prepareStore(store, options);
    media = await openMedia(config, member?.linkSecret);
    const current = new CurrentConfig(options);
    const transport = createTransport();
    const live = await openLiveCatalog(store, current, { ...options, transport });
    // Of several processes only the first logs it.
    if (!member || member.number === 1) await warnOfDoubts(live, store, log);
    watching = await startTelemetry(config.telemetry, store, log, member);
    if (warmUp) await warmUpProcess(config.server, log);
    const parts = { current, store, media, transport, live, watching, log, member };
    return await Host.start({ ...parts, invitation: invitation?.() }, roundMs);
  } catch (error) {
    await watching?.close();
    await media?.close();
    await store.close();
    throw error;
  }
}

async function openHostStore(options: HostOptions): Promise<Store> {
  const { config, log, open = openStore } = options;
  const { records, calls } = config;
  const reader = readerOf(config.store);
  const store = await open(storeUrl(config.store), {
    ...{ log, records },
    ...(calls !== undefined && { calls }),
    ...(reader && { reader }),
  });
  // Events are written from the first recovery on.
  store.setAlerts(alertsFor(webhooksOf(await declaredConfig(options, store))));
  store.startHeartbeat();
  return store;
}

/** Settles the work of dead processes, and creates accounts and keys. */
async function prepareStore(store: Store, { config, log, member, prepare }: HostOptions): Promise<void> {
  await store.money.recover(Date.now());
  await (prepare ? prepare(store) : ensureConfigured(store, config));
  // Of several processes only the first logs it.
  if (!member || member.number === 1) await warnOfLostKeys(store, keyVaultOf(config), log);
}
