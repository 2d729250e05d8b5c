import type { KnownNames } from "@manifold-gateway/core/capability";
import { faultsOf, MAX_FAULTS } from "@manifold-gateway/core/plan";
import { expect, test } from "vitest";

test("of very many unknown names, the first ones are described", () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => `unknown${i}`);
  const names: KnownNames = { properties: { name: {} } };
  const faults = faultsOf([{ code: "unrecognized_keys", path: ["limits"], message: "", keys }], () => names);
  expect(faults.map(({ path }) => path)).toEqual(keys.slice(0, MAX_FAULTS).map((key) => ["limits", key]));
});
