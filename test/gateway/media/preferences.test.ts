import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { expect, it } from "vitest";
import { resolveMedia } from "../../../packages/gateway/src/media/resolve.ts";
import { readPreferences } from "../../../packages/gateway/src/routing/preferences.ts";
import { createRouting } from "../../../packages/gateway/src/routing/routing.ts";

const usd = 1e12;
const entry = (provider: string, priority: number, images: number): Model["entries"][number] => ({
  provider,
  name: "brush",
  priority,
  isActive: true,
  price: { images: images * usd },
});
const model: Model = {
  id: "brush",
  inputModalities: ["text"],
  outputModalities: ["image"],
  isActive: true,
  revision: 1,
  entries: [
    entry("dear", 1, 0.08),
    entry("cheap", 2, 0.02),
    {
      ...entry("tiered", 3, 0.01),
      tiers: [{ when: {}, price: { images: 0.09 * usd } }],
    },
  ],
};
const now = () => 0;
const services = {
  catalog: createCatalog([model]),
  providers: new Map(
    ["dear", "cheap", "tiered"].map((id) => [
      id,
      defineProvider(id, {
        origin: "http://127.0.0.1:9",
        key: "k",
        speaks: [],
        serves: { image: "mediastyle" },
      }),
    ]),
  ),
  routing: createRouting({}, now),
  now,
};
const resolve = (wish: object) =>
  resolveMedia({ services, caller: { accountId: "a" } } as never, "brush", "image", {
    preferences: readPreferences(wish as never, "brush"),
  });

it.each([
  [{}, "dear"],
  [{ sort: "price" }, "tiered"],
  [{ sort: "price", ignore: ["tiered"] }, "cheap"],
  [{ max_price: { image: 0.05 } }, "cheap"],
  [{ max_price: { image: 0.08 }, sort: "price" }, "cheap"],
  [{ order: ["cheap"], sort: "price" }, "cheap"],
  [{ only: ["dear"], sort: "price" }, "dear"],
])("for %j the entry at '%s' is called", (wish, provider) => {
  expect(resolve(wish).candidates[0]?.provider.id).toBe(provider);
});

it("the other entries are listed with reasons, and the request is refused where none is left", () => {
  const why = Object.fromEntries(
    resolve({ max_price: { image: 0.05 } }).skipped.map(({ provider, why }) => [provider, why]),
  );
  expect(why).toEqual({ dear: "too_expensive", tiered: "too_expensive" });
  expect(() => resolve({ max_price: { image: 0.001 } })).toThrow(/^provider: .*max_price\.image is 0\.001/);
  expect(() => resolve({ only: ["nobody"] })).toThrow(/^provider: /);
});
