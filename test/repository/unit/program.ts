import { registerHooks } from "node:module";

// A unit more in the table, and nowhere else: what is loaded from here on has it.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith("/packages/core/src/pricing/cost.ts")) return loaded;
    const line = '  moonbeams: { per: 1, label: "perMoonbeam" },\n  moonGlow: { per: 1, of: "moonbeams" },\n';
    return { ...loaded, source: String(loaded.source).replace("const units = {\n", (start) => start + line) };
  },
});

const { parseConfig } = await import("../../../apps/server/src/config/load.ts");
const { toModels } = await import("../../../apps/server/src/config/build.ts");
const { createCatalog } = await import("@manifold-gateway/gateway");
const { costOf } = await import("@manifold-gateway/store");
const { startStage } = await import("../../support/stage.ts");

const config = parseConfig(
  {
    providers: { p: { protocol: "chatstyle", origin: "http://127.0.0.1:9", key: "secret-of-p" } },
    models: { m: { entries: [{ provider: "p", name: "m", price: { moonbeams: 2, moonGlow: 3 } }] } },
  },
  {},
);
const [model] = toModels(config);
const price = model!.entries[0]!.price!;
const usage: Record<string, number> = { moonbeams: 5, moonGlow: 2 };
const cost = costOf(usage, price);

const stage = await startStage({ listens: false, catalog: createCatalog([model!]) });
const generation = { id: "g", accountId: "acc", keyId: "key", modality: "text", model: "m", price } as const;
await stage.store.money.reserve({ generation, amount: cost, at: Date.now(), policy: "strict" });
await stage.store.money.settle({ id: "g", status: "succeeded", cost, usage });
const listed = await stage.json("/api/chatstyle/v1/models/m");
const record = await stage.json("/api/compat/v1/usage");
const audit = await stage.store.money.audit();
await stage.close();
process.stdout.write(JSON.stringify({ price, cost, listed, record, audit }));
