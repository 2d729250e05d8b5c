import { createTransport } from "@manifold-gateway/providers";
import { openSqlite } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { openLiveCatalog } from "../../../apps/server/src/catalog/live-catalog.ts";
import { CurrentConfig } from "../../../apps/server/src/config/current-config.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";

const log = { info() {}, warn() {}, error() {} };
const configOf = (...names: string[]) =>
  parseConfig(
    {
      providers: Object.fromEntries(
        names.map((name) => [name, { protocol: "chatstyle", origin: "https://x.example" }]),
      ),
      models: Object.fromEntries(
        names.map((name) => [name, { entries: [{ provider: name, name, price: { input: 1 } }] }]),
      ),
    },
    {},
  );

it("a check of the catalog waits for a running reload, whose providers are not known yet", async () => {
  const store = await openSqlite({ path: ":memory:" });
  const transport = createTransport();
  let between = async (): Promise<void> => {};
  const catalog: typeof store.catalog = {
    ...store.catalog,
    async replace(...args) {
      const result = await store.catalog.replace(...args);
      await between();
      return result;
    },
  };
  const live = await openLiveCatalog(
    { ...store, catalog },
    new CurrentConfig({ config: configOf("old"), env: {} }),
    { transport, log },
  );
  let followed: Promise<string[]> | undefined;
  between = async () => {
    followed = live.follow();
    // More reads than the check makes, so that it would be over if it did not wait.
    for (let reads = 0; reads < 20; reads++) await store.catalog.list();
    expect(live.catalog.list().map(({ id }) => id)).toEqual(["old"]);
  };
  expect((await live.apply({ config: configOf("new"), env: {} })).sort()).toEqual(["new", "old"]);
  expect(await followed).toEqual([]);
  await store.close();
  await transport.close();
});
