import { createCatalog } from "@manifold-gateway/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, textModels } from "../../support/text.ts";

const [first] = textModels;
const aliased = { ...first!, id: "own", aliases: ["swift", "gpt-4o*", "gpt-4o-mini*"] };
const other = { ...first!, id: "other", aliases: ["gpt-*", "o1"] };
let stage: Stage;
let ahead = 0;
beforeAll(async () => {
  stage = await startStage({ listens: false, models: [aliased, other], now: () => Date.now() + ahead });
});
afterAll(async () => {
  expect(await stage.store.money.audit()).toEqual([]);
  await stage.close();
});

const ask = (name: string) => ({ model: name, messages: [{ role: "user", content: "hello" }] });

describe("aliases of models", () => {
  it.each([
    ["swift", "own"],
    ["gpt-4o", "own"],
    ["gpt-4o-mini-2024", "own"],
    ["gpt-3.5-turbo", "other"],
    ["o1", "other"],
  ])("%s is served as %s, and the record has both names", async (name, id) => {
    const response = await stage.call(CHAT, ask(name));
    expect(response.status).toBe(200);
    await response.text();
    await stage.settled();
    const record = await stage.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
    expect(record).toMatchObject({ model: id, requestedModel: name });
  });

  it("a record of a request by the id has that name alone", async () => {
    const response = await stage.call(CHAT, ask("own"));
    await response.text();
    await stage.settled();
    const record = await stage.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
    expect(record.model).toBe("own");
    expect(record.requestedModel).toBeUndefined();
  });

  it("an explanation has both names", async () => {
    const init = { headers: { "x-explain": "true" } };
    const told = await stage.json(CHAT, ask("gpt-4o-2024"), 200, init);
    expect(told).toMatchObject({ verdict: "accepted", model: "own", requestedModel: "gpt-4o-2024" });
  });

  it.each([
    ["/api/v1/ai/models", (body: never[]) => body, "modelId"],
    ["/api/chatstyle/v1/models", ({ data }: { data: never[] }) => data, "id"],
    ["/api/msgstyle/v1/models", ({ data }: { data: never[] }) => data, "id"],
    ["/api/genstyle/v1beta/models", ({ models }: { models: never[] }) => models, "name"],
  ])("the list at %s has whole names as models and patterns at their model", async (path, rowsOf, field) => {
    const rows = rowsOf(await stage.json(path)) as Record<string, unknown>[];
    const row = (name: string) => rows.find((one) => String(one[field]).replace(/^models\//, "") === name);
    // The vendor's own list has no place for more than names.
    if (field !== "name") {
      expect(row("own")).toMatchObject({ aliases: aliased.aliases });
      expect(row("swift")).toMatchObject({ aliasOf: "own" });
    }
    expect(row("swift")).toBeDefined();
    expect(row("gpt-4o*")).toBeUndefined();
  });

  it("a model is found under an alias, by that name", async () => {
    expect(await stage.json("/api/chatstyle/v1/models/gpt-4o-mini")).toMatchObject({
      id: "gpt-4o-mini",
      aliasOf: "own",
    });
  });
});

describe("a key that may use some names alone", () => {
  it("a key is judged by the name that its caller uses, in requests and lists", async () => {
    const ref = { accountId: "acc", id: "key" };
    await stage.store.keys.change(ref, { restrictions: { models: ["swift", "gpt-4o-mini*"] } });
    // Every process sees the change within a second.
    ahead += 2_000;
    const status = async (name: string) => (await stage.call(CHAT, ask(name))).status;
    expect(await status("swift")).toBe(200);
    expect(await status("gpt-4o-mini-x")).toBe(200);
    expect(await status("gpt-4o")).toBe(400);
    expect(await status("own")).toBe(400);
    const { data } = await stage.json("/api/chatstyle/v1/models");
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["swift"]);
  });
});

describe("the resolution of names", () => {
  it("an id goes before every alias, and inactive models have none", () => {
    const catalog = createCatalog([
      model("a", "p", { aliases: ["b", "x*"] }),
      model("b", "p", {}),
      model("c", "p", { aliases: ["x-1", "y"], isActive: false }),
    ]);
    expect(catalog.get("b")?.id).toBe("b");
    expect(catalog.get("x-1")?.id).toBe("a");
    expect(catalog.get("y")).toBeUndefined();
    catalog.replace([model("b", "p", { aliases: ["x*"] })]);
    expect(catalog.get("x-1")?.id).toBe("b");
  });

  it.each([
    [{ a: ["b"] }, "models.a.aliases.0: 'b' is the id of a model"],
    [{ a: ["n*"], b: ["n*"] }, "models.b.aliases.0: 'n*' is an alias of 'a' already"],
  ])("a configuration where a name would be of two models is refused: %j", (aliases, finding) => {
    const providers = { p: { protocol: "chatstyle", origin: "http://127.0.0.1:1" } };
    const of = (name: "a" | "b") => ({
      aliases: (aliases as Record<string, string[]>)[name] ?? [],
      entries: [{ provider: "p", name }],
    });
    expect(() => parseConfig({ providers, models: { a: of("a"), b: of("b") } }, {})).toThrow(finding);
  });
});
