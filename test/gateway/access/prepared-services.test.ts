import { expect, it } from "vitest";
import { restrict } from "../../../packages/gateway/src/access/restrict.ts";
import { createCatalog } from "../../../packages/gateway/src/catalog/catalog.ts";
import type { Model } from "../../../packages/gateway/src/ports/catalog.ts";
import type { Services } from "../../../packages/gateway/src/ports/services.ts";
import { surfaces } from "../../../packages/gateway/src/surfaces/all.ts";

const model = (id: string): Model => ({
  ...{ id, isActive: true, revision: 1 },
  ...{ inputModalities: ["text"], outputModalities: ["text"], entries: [] },
});
const [surface] = surfaces;
const caller = { accountId: "a", keyId: "k", restrictions: { models: ["small-*"] } };

let observers = 0;
const services = {
  catalog: createCatalog([model("small-1"), model("large-1")]),
  get observer() {
    observers += 1;
    return undefined;
  },
} as unknown as Services;

it("the services of a restricted key are made once, and observers are read for each request", () => {
  const own = restrict(services, caller, surface!);
  expect(restrict(services, caller, surface!)).toBe(own);
  const before = observers;
  void own.observer;
  void own.observer;
  expect(observers).toBe(before + 2);
  expect(restrict({ ...services }, caller, surface!)).not.toBe(own);
  expect(restrict(services, { ...caller, restrictions: { models: ["large-*"] } }, surface!)).not.toBe(own);
});

it("a restricted catalog has one list until the models are replaced", () => {
  const { catalog } = restrict(services, caller, surface!);
  const list = catalog.list();
  expect(list.map(({ id }) => id)).toEqual(["small-1"]);
  expect(catalog.list()).toBe(list);
  services.catalog.replace([model("small-1"), model("small-2")]);
  expect(catalog.list().map(({ id }) => id)).toEqual(["small-1", "small-2"]);
  expect([catalog.get("small-2")?.id, catalog.get("large-1")]).toEqual(["small-2", undefined]);
});
