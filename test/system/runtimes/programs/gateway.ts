import { createCatalog, createGateway, type Gateway } from "@manifold-gateway/gateway";
import { defineProvider, type Transport } from "@manifold-gateway/providers";
import { openPostgres, openSqlite } from "@manifold-gateway/store";
import { ADA, admit } from "../../../support/holder.ts";
import { model, price, textModels, textProviders } from "../../../support/text.ts";

/** What every runtime is told. */
export interface Settings {
  /** The simulator. */
  upstream: string;
  /** `postgres://…`, or the path of a file. */
  database: string;
  /** Default: what the runtime has. */
  transport?: Transport;
}

/** A model whose first provider is never there, and that has two more. */
export const ELSEWHERE = "sim-elsewhere";

const elsewhere = model(ELSEWHERE, "absent", {
  entries: ["absent", "chatstyle", "msgstyle"].map((provider, at) => ({
    provider,
    name: ELSEWHERE,
    priority: 3 - at,
    isActive: true,
    price,
  })),
});

/** Nobody listens there. */
const absent = defineProvider("absent", {
  origin: "http://127.0.0.1:2",
  speaks: ["chatstyle"],
  key: "upstream-secret",
});

/** The gateway of these tests, which is the same in every runtime. */
export async function openGateway({ upstream, database, transport }: Settings): Promise<Gateway> {
  const store = await (database.startsWith("postgres:")
    ? openPostgres({ url: database })
    : openSqlite({ path: database }));
  store.startHeartbeat();
  await admit(store, ADA, 1_000_000_000, Date.now());
  const tell = (...said: unknown[]): void => console.error(...said);
  return createGateway({
    store,
    catalog: createCatalog([...textModels, elsewhere]),
    providers: textProviders(upstream).set("absent", absent),
    log: { info() {}, warn: tell, error: tell },
    ...(transport && { transport }),
  });
}
