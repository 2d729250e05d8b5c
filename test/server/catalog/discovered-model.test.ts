import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTransport, fromPreset } from "@manifold-gateway/providers";
import { openSqlite, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { termsOf } from "../../../apps/server/src/catalog/discovered-model.ts";
import { createDiscovery } from "../../../apps/server/src/catalog/discovery.ts";
import { openLiveCatalog } from "../../../apps/server/src/catalog/live-catalog.ts";
import { listedPrice } from "../../../apps/server/src/catalog/public-prices.ts";
import { CurrentConfig } from "../../../apps/server/src/config/current-config.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";

const log = { info() {}, warn() {}, error() {} };
/** The models that the server lists; without any it is away. */
let names: string[] | undefined;
const server = createServer((_, response) => {
  if (names === undefined) response.writeHead(503).end();
  else response.end(JSON.stringify({ data: names.map((id) => ({ id })) }));
});
const transport = createTransport();
let origin: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

describe("the prices of discovered models", () => {
  const priceOf = async (preset: string, name: string): Promise<object | undefined> => {
    names = [name];
    const discovery = createDiscovery([fromPreset(preset, { origin, key: "k" })], { transport, log });
    await discovery.look("signal");
    return discovery.models().find(({ id }) => id === name)?.entries[0]?.price;
  };

  it("the price of a discovered model is the highest where a vendor asks more for long prompts", async () => {
    const found = listedPrice("gemini-2.5-pro", { id: "google", origin }, new Date());
    const { price, highest } = found ?? { price: {}, highest: {} };
    expect(highest.input).toBeGreaterThan(price.input ?? Number.NaN);
    expect(await priceOf("google", "gemini-2.5-pro")).toMatchObject({
      input: (highest.input ?? 0) * 1e6,
      output: (highest.output ?? 0) * 1e6,
    });
  });

  it("a discovered model is not free because the list has no price for it", async () => {
    const vendor = { id: "google", origin };
    expect(listedPrice("gemma-3-27b-it", vendor, new Date())?.price).toEqual({});
    expect(await priceOf("google", "gemma-3-27b-it")).toBeUndefined();
    expect(await priceOf("openrouter", "deepseek/deepseek-r1:free")).toEqual({});
  });
});

it("a model makes vectors if its name says so and no list knows it", () => {
  const provider = fromPreset("openai", { key: "k" });
  expect(termsOf(provider, { name: "in-house-embed-2" }).output).toEqual(["embedding"]);
  expect(termsOf(provider, { name: "in-house-2" }).output).toEqual(["text"]);
});

describe("a start while a provider does not list its models", () => {
  const env = { LLAMACPP_ORIGIN: "" };
  const settings = (models = {}) => ({
    config: parseConfig(
      { providers: { own: { protocol: "chatstyle", origin: "https://x.example" } }, models },
      {},
    ),
    env,
  });
  const open = (models?: object) =>
    openLiveCatalog(store, new CurrentConfig(settings(models)), { transport, log });
  const ours = { entries: [{ provider: "own", name: "n", price: { input: 1 } }] };
  let store: Store;
  beforeEach(async () => {
    env.LLAMACPP_ORIGIN = origin;
    store = await openSqlite({ path: ":memory:" });
    names = ["one", "two"];
    await open({ ours });
    return () => store.close();
  });
  const states = async () =>
    Object.fromEntries((await store.catalog.list()).map(({ id, isActive }) => [id, isActive]));

  it("a start without a provider's list leaves its models as they are, and no others", async () => {
    const before = await store.catalog.list();
    names = undefined;
    const live = await open();
    expect(await states()).toEqual({ one: true, two: true, ours: false });
    const isDiscovered = ({ id }: { id: string }) => id !== "ours";
    expect((await store.catalog.list()).filter(isDiscovered)).toEqual(before.filter(isDiscovered));
    expect(live.catalog.get("one")?.isActive).toBe(true);
    await live.apply(settings({ ours }));
    expect(await states()).toEqual({ one: true, two: true, ours: true });
  });

  it("a start without a provider's list follows what the file says otherwise", async () => {
    names = undefined;
    await open({ one: ours });
    const [one] = await store.catalog.list();
    expect(one).toMatchObject({ entries: [{ provider: "own" }] });
  });

  it("a start without a provider's list does not count as one with fewer models", async () => {
    names = ["one"];
    await open();
    expect(await states()).toEqual({ one: true, two: false, ours: false });
  });
});
