import type { Capabilities } from "@manifold-gateway/core/capability";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toContent } from "../../packages/console/web/src/play/media.ts";
import { bodyOfForm, formOfBody } from "../../packages/console/web/src/play/media-form.ts";
import { inputsOf, paramsOf } from "../../packages/console/web/src/play/schema-form.ts";
import { type Listed, takes } from "../../packages/console/web/src/play/takers.ts";
import { areaOf, accepts as takesIt } from "../../packages/core/src/capability/area.ts";

const part = (types: string[], more: object = {}) => ({ properties: { type: { enum: types }, ...more } });
const schema = {
  properties: {
    content: {
      items: {
        anyOf: [
          { properties: { type: { const: "text" } } },
          part(["imageUrl", "imageBase64", "kycImageAssetId"], { role: { enum: ["firstFrame"] } }),
          part(["videoUrl", "videoBase64"]),
        ],
      },
    },
  },
};

it("an input of a form takes identity assets where its model does, and names them by that part", () => {
  const [image, video] = inputsOf(schema);
  expect(image).toEqual({
    kind: "image",
    roles: ["firstFrame"],
    mediaTypes: [],
    assetPart: "kycImageAssetId",
  });
  expect(video).not.toHaveProperty("assetPart");
  const chosen = { kind: "image", name: "Ada", facts: "", assetId: "a1", role: "firstFrame" } as const;
  expect(toContent("Hello", [{ ...chosen, part: image!.assetPart! }])).toEqual([
    { type: "text", text: "Hello" },
    { type: "kycImageAssetId", assetId: "a1", role: "firstFrame" },
  ]);
  expect(toContent("", [chosen])).toEqual([{ type: "imageAssetId", assetId: "a1", role: "firstFrame" }]);
});

it("an order that is opened again has all members of the one that was sent, with a field or without", () => {
  const fields = paramsOf({
    properties: {
      size: { type: "string" },
      seed: { type: "integer" },
      watermark: { type: "boolean" },
      style: { properties: { depth: { type: "number" } } },
      numberOfImages: false,
    },
  });
  const file = fc.constantFrom(
    { type: "imageUrl", url: "https://host.test/a.png", role: "firstFrame" },
    { type: "imageBase64", data: "AAAA", mediaType: "image/png" },
    { type: "kycImageAssetId", assetId: "a1", role: "lastFrame" },
    { type: "videoAssetId", assetId: "v1" },
  );
  const params = fc.record(
    {
      size: fc.constantFrom("1024x1024", "2K"),
      seed: fc.integer(),
      watermark: fc.boolean(),
      style: fc.record({ depth: fc.constantFrom(0.5, 2) }),
      numberOfImages: fc.nat(),
      references: fc.array(fc.string()),
      "x-other": fc.jsonValue().filter((value) => value !== undefined),
    },
    { requiredKeys: [] },
  );
  const texts = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(texts, fc.array(file, { maxLength: 3 }), params, (text, files, more) => {
      const image = { model: "m", content: [{ type: "text", text }, ...files], ...more };
      expect(bodyOfForm({ mode: "image", model: "m", fields }, formOfBody({ fields }, image))).toEqual(image);
      const reading = { voiceType: "v", text, ...more };
      expect(bodyOfForm({ mode: "speech", model: "m", fields }, formOfBody({ fields }, reading))).toEqual(
        reading,
      );
    }),
  );
});

it("a model takes for the page what it takes for the service", () => {
  const names = ["seed", "size", "style", "style.depth", "topK"];
  const subset = fc.subarray(names);
  const params = subset.map((some) => Object.fromEntries(some.map((name) => [name, { type: "bool" }])));
  const rules = fc.constantFrom([], [{ type: "size", field: "size", shape: {} }]);
  const area = fc.record(
    {
      supportedParameters: subset,
      params,
      unsupported: subset.map((some) => Object.fromEntries(some.map((name) => [name, "drop"]))),
      rules,
    },
    { requiredKeys: [] },
  );
  const listings = fc.record({ text: area, image: area, params, rules }, { requiredKeys: [] });
  fc.assert(
    fc.property(
      listings,
      fc.constantFrom("text", "image"),
      fc.constantFrom(...names),
      (listing, area, name) => {
        const expected = takesIt(areaOf(listing as Capabilities, area), name);
        expect(takes(listing as Listed, area, name)).toBe(expected);
      },
    ),
    { numRuns: 300 },
  );
});
