import { createCatalog, createGateway, type Model } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { openSqlite } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { textModels } from "../../support/text.ts";

const [model] = textModels;
const pricedBy = (more: object): Model => ({ ...model!, entries: [{ ...model!.entries[0]!, ...more }] });

it.each([
  [
    { price: { prompt: 1, completion: 2 } },
    /entries\.0: price\.prompt: there is no such unit; those of prices are input, /,
  ],
  [{ price: { input: 0.5 } }, /price\.input: 0\.5 is no whole number of micro-USD/],
  [{ price: { input: "1" } }, /price\.input: 1 is no whole number/],
  [{ tiers: [{ price: { image: 1 } }] }, /price\.image: there is no such unit/],
])("a catalog refuses %j, by which requests would be free or fail", (more, words) => {
  expect(() => createCatalog([pricedBy(more)])).toThrow(words);
});

it("a catalog makes active models of text of what is left out", () => {
  const { get } = createCatalog([{ id: "m", entries: [{ provider: "p", name: "n", price: {} }] }]);
  expect(get("m")).toEqual({
    id: "m",
    inputModalities: ["text"],
    outputModalities: ["text"],
    isActive: true,
    revision: 1,
    entries: [{ provider: "p", name: "n", price: {}, priority: 1, isActive: true }],
  });
});

it("a gateway refuses a provider of a protocol that it does not have", async () => {
  const store = await openSqlite({ path: ":memory:" });
  const provider = defineProvider("mine", { origin: "http://a", speaks: ["openai" as "chatstyle"] });
  const options = { store, catalog: createCatalog([]), providers: [provider] };
  expect(() => createGateway(options)).toThrow(
    "The provider 'mine' speaks 'openai', which 'protocols' lacks.",
  );
  await store.close();
});

it.each([
  ["localhost:8000", "provider 'mine': origin: 'localhost:8000' is no address"],
  ["models", "provider 'mine': origin: 'models' is no address"],
  ["ftp://a", "provider 'mine': origin: 'ftp://a' is no address"],
])("a provider at %s is refused by its name", (origin, words) => {
  expect(() => defineProvider("mine", { origin, speaks: ["chatstyle"] })).toThrow(words);
});
