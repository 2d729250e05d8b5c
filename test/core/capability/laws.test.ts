import {
  type Ask,
  askOfBody,
  check,
  defaultsOf,
  findAccepting,
  type Issue,
  isRefused,
  toJsonSchema,
} from "@manifold-gateway/core/capability";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asks, body, capabilities, probes, proto } from "./arbitraries.ts";
import { oracle } from "./oracle.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, ownProperties: true });
const told = (issues: readonly Issue[]): string[] =>
  issues.map(({ effect, code, path }) => `${effect} ${code} ${path}`).sort();
const asked = (value: Parameters<typeof askOfBody>[2]): Ask => askOfBody("video", "m", value);

test("generated capabilities are valid in a catalog", () => {
  fc.assert(
    fc.property(capabilities, (value) => {
      expect(capabilitiesSchema.safeParse(value).error?.issues ?? []).toEqual([]);
    }),
  );
});

test("the engine finds what a naive reading of the rules finds", () => {
  fc.assert(
    fc.property(asks, probes, ([rules, bodies], found) => {
      for (const value of bodies) {
        const ask = asked(value);
        const parts = (ask.parts ?? []).map((part, i) => ({ ...part, ...found[i] }));
        const whole = proto({ ...ask, parts });
        expect(told(check(rules, whole))).toEqual(oracle(rules, whole));
      }
    }),
    { numRuns: 200 },
  );
});

/** Findings about what JSON Schema has no words for. */
const beyond = (rules: Parameters<typeof check>[0], issue: Issue): boolean => {
  if (["unknown_field", "input_too_large"].includes(issue.code)) return true;
  const all = [...(rules?.rules ?? []), ...(rules?.video?.rules ?? [])];
  if (issue.code === "sum_too_large") return true;
  return (
    all.some((rule) => rule.type === "size" && rule.field === issue.name) && typeof issue.value === "string"
  );
};

test("the JSON Schema rejects and accepts what the engine does", () => {
  const seen = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(asks, ([rules, bodies]) => {
      const validate = ajv.compile(toJsonSchema(rules, "video"));
      for (const value of bodies) {
        const refused = check(rules, asked(value)).filter(({ effect }) => effect === "refuse");
        const accepted = validate(value);
        seen[accepted ? "accepted" : "rejected"]++;
        if (refused.length === 0) expect({ value, errors: validate.errors }).toEqual({ value, errors: null });
        else if (!refused.every((issue) => beyond(rules, issue)))
          expect({ accepted, refused }).toEqual({ accepted: false, refused });
      }
    }),
    { numRuns: 60 },
  );
  expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(40);
});

test("the JSON Schema counts parts and one number together", () => {
  const rules = capabilitiesSchema.parse({
    image: {
      params: { numberOfImages: { type: "int", min: 1, max: 15, default: 1 } },
      rules: [{ type: "sum", of: [{ input: "image" }, { field: "numberOfImages" }], max: 15 }],
    },
  });
  const validate = ajv.compile(toJsonSchema(rules, "image"));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 16 }),
      fc.option(fc.integer({ min: 0, max: 16 }), { nil: null }),
      (n, images) => {
        const content = Array.from({ length: n }, () => ({ type: "imageUrl", url: "https://a/b" }));
        const value = { content, ...(images !== null && { numberOfImages: images }) };
        expect(validate(value)).toBe(!isRefused(check(rules, askOfBody("image", "m", value))));
      },
    ),
  );
});

test("nothing is found where nothing is set, and defaults keep their own rules", () => {
  fc.assert(
    fc.property(capabilities, body, (rules, value) => {
      expect(check(undefined, asked(value)).filter(({ effect }) => effect !== "note")).toEqual([]);
      const params = Object.entries(defaultsOf(rules, "video")).map(([name, set]) => ({
        name,
        path: `/${name.replace(".", "/")}`,
        value: set,
      }));
      const only = { strictParams: true, video: { params: { ...rules.params, ...rules.video?.params } } };
      expect(check(only, { operation: "video", model: "m", params })).toEqual([]);
    }),
  );
});

test("a finding names field, model and what is allowed, and does not change the rules", () => {
  fc.assert(
    fc.property(capabilities, body, (rules, value) => {
      const before = structuredClone(rules);
      for (const { message, path, model, allowed } of check(rules, asked(value))) {
        expect(message.startsWith(`${path.slice(1).replaceAll("/", ".")}: `)).toBe(true);
        expect(message).toContain(`the model '${model}' accepts ${allowed}.`);
        expect(message).not.toMatch(/undefined|\[object|NaN to/);
      }
      expect(rules).toEqual(before);
    }),
  );
});

test("a suggested model allows the whole request", () => {
  fc.assert(
    fc.property(fc.array(capabilities, { maxLength: 4 }), body, (rules, value) => {
      const models = rules.map((capabilities, i) => ({ id: `m${i}`, capabilities }));
      const ask = asked(value);
      const found = findAccepting(models, ask);
      const clean = models.filter(({ capabilities: one }) =>
        check(one, ask).every((issue) => issue.effect === "note"),
      );
      if (found !== undefined) expect(clean.map(({ id }) => id)).toContain(found);
      else
        expect(
          clean.every(({ capabilities: { video, ...one } }) => !video && Object.keys(one).length <= 1),
        ).toBe(true);
    }),
  );
});
