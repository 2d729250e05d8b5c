import type { DemoHost } from "@manifold-gateway/demo";
import { createGateway } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { openLiveCatalog } from "../catalog/live-catalog.ts";
import { keyVaultOf, toAccess } from "../config/build.ts";
import { CurrentConfig } from "../config/current-config.ts";
import type { Config } from "../config/schema.ts";
import { ensureAccounts } from "../configured-accounts.ts";
import { createLog } from "../logging/log.ts";
import { openMedia } from "../media-store.ts";

/** Opens the gateway of a configuration in the virtual time of the demonstration, without a port. */
export const createDemoHost = (config: Config, store: Store): DemoHost => ({
  adminKey: config.server.adminKey ?? "",
  async openGateway({ origin, now, transport, fetch, jobs }) {
    const log = createLog("error");
    const media = await openMedia(config, undefined, now);
    const { catalog, providers } = await openLiveCatalog(store, new CurrentConfig({ config, env: {} }), {
      transport,
      log,
    });
    const gateway = createGateway({
      ...{ store, catalog, providers, transport, now, steady: now, log },
      base: origin,
      media: { ...media.options, fetch, jobs: { ...media.options.jobs, ...jobs } },
      ...toAccess(config),
    });
    media.settle(origin);
    return {
      fetch: async (request) => gateway.fetch(request),
      async close() {
        await gateway.drain();
        await gateway.close();
        await media.close();
      },
    };
  },
  createAccount: async ({ name, balance, at }) =>
    ensureAccounts(store, { [name]: { balance, keys: {} } }, at, keyVaultOf(config)),
});
