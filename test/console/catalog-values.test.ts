import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Member } from "../../packages/console/web/src/catalog/calls.ts";
import {
  differingParts,
  findingsOf,
  partAt,
  partsOf,
  withPart,
} from "../../packages/console/web/src/catalog/values.ts";
import {
  changeOf,
  choiceOf,
  missingOf,
  type Proposed,
} from "../../packages/console/web/src/catalog/wizard.ts";

const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
const value = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,4}$/),
  fc.oneof(leaf, fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), leaf, { minKeys: 1 })),
);
const path = fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.stringMatching(/^[a-z]{1,4}$/));

describe("values of the catalog", () => {
  it("have the part that was set, keep all others, and lose it again", () => {
    fc.assert(
      fc.property(value, path, leaf, (of, [first, second], part) => {
        fc.pre(
          typeof of[first] !== "string" && typeof of[first] !== "number" && typeof of[first] !== "boolean",
        );
        const at = `${first}.${second}`;
        const set = withPart(of, at, part);
        expect(partAt(set, at)).toEqual(part);
        const changed = differingParts(of, set).map((one) => one.path);
        expect(changed.every((one) => one === at || one === first)).toBe(true);
        expect(partAt(withPart(set, at, undefined), at)).toBeUndefined();
      }),
    );
  });

  it("differ in no part from themselves, and in every part from nothing", () => {
    fc.assert(
      fc.property(value, (of) => {
        expect(differingParts(of, of)).toEqual([]);
        expect(differingParts({}, of).map((one) => one.path)).toEqual(
          partsOf(of).flatMap(([at]) => (at === "" ? [] : [at])),
        );
      }),
    );
  });

  it("compare routes by provider and name, whatever their order", () => {
    const [one, other] = ["one", "other"].map((provider) => ({ provider, name: "n", price: { input: 1 } }));
    expect(differingParts({ entries: [one, other] }, { entries: [other, one] })).toEqual([]);
    expect(differingParts({ entries: [one, other] }, { entries: [other] })).toEqual([
      { path: "route one n.price.input", before: 1, after: undefined },
    ]);
  });

  it("have findings by the names of a form's fields, those of other members whole", () => {
    const said = [
      "models.a.b.entries.0.name: too short",
      "models.a.b: there is none",
      "models.other.x: wrong",
    ];
    expect(findingsOf(said, "models.a.b")).toEqual([
      { path: ["entries", "0", "name"], text: "too short" },
      { path: [], text: "there is none" },
      { path: [], text: "models.other.x: wrong" },
    ]);
  });
});

describe("models that were chosen", () => {
  const proposed = (more: Partial<Proposed> = {}): Proposed => ({
    name: "m",
    value: { output: ["text"], entries: [{ provider: "p", name: "m", price: { input: 1, cacheRead: 0.1 } }] },
    isPriced: true,
    isRetired: false,
    ...more,
  });

  it("need a price for input and output, and keep known prices of other units", () => {
    const choice = choiceOf(proposed(), "p");
    expect(choice).toEqual({ id: "m", prices: { input: "1", output: "" } });
    expect(missingOf(choice)).toEqual(["output"]);
    expect(missingOf({ ...choice, prices: { input: "-1", output: "x" } })).toEqual(["input", "output"]);
    const change = changeOf(proposed(), { ...choice, prices: { input: "2", output: "0" } }, []);
    expect(change.value?.entries).toEqual([
      { provider: "p", name: "m", price: { input: 2, output: 0, cacheRead: 0.1 } },
    ]);
  });

  it("become a further route of a model that is declared here, and get another name than one of the file", () => {
    const route = { provider: "first", name: "m", price: {} };
    const member: Member = {
      ...{ section: "models", name: "m", source: "database", revision: 7, problems: [] },
      value: { aliases: ["x"], entries: [route] },
    };
    const here = proposed({ declared: "database" });
    const choice = { ...choiceOf(here, "p"), prices: { input: "1", output: "1" } };
    expect(changeOf(here, choice, [member])).toMatchObject({
      name: "m",
      revision: 7,
      value: { aliases: ["x"], entries: [route, { provider: "p" }] },
    });
    expect(choiceOf(proposed({ declared: "file" }), "p").id).toBe("p/m");
  });
});
