import { type Facts, imageFacts, type Tier, tierOf, videoFacts } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sayPrice, usualPrice } from "../../packages/console/web/src/play/usual-price.ts";

type Values = Record<string, fc.Arbitrary<string | number | boolean>>;

const VIDEO: Values = {
  resolution: fc.constantFrom("720p", "1080p", "4k"),
  ratio: fc.constantFrom("16:9", "1:1"),
  duration: fc.integer({ min: 1, max: 9 }),
  generateAudio: fc.boolean(),
};
const IMAGE: Values = {
  size: fc.constantFrom("1024x1024", "2048x2048", "4K"),
  quality: fc.constantFrom("low", "high"),
};
/** Facts that follow from files and sizes. */
const DERIVED: Values = {
  videoInput: fc.boolean(),
  imageInput: fc.boolean(),
  references: fc.nat(1),
  pixels: fc.constantFrom(1_048_576, 4_194_304),
};
const bounds = fc.record(
  { above: fc.constantFrom(0, 5, 2_360_000), upTo: fc.constantFrom(5, 9, 2_360_000) },
  { requiredKeys: [] },
);

const parametersOf = (values: Values) => fc.record(values, { requiredKeys: [] });
const tiersOf = (values: Values) =>
  fc.array(
    fc.record(
      {
        when: fc.record(
          Object.fromEntries(
            Object.entries({ ...values, ...DERIVED }).map(([name, value]) => [
              name,
              fc.oneof(value, fc.array(value, { maxLength: 2 }), bounds),
            ]),
          ),
          { requiredKeys: [] },
        ),
        price: fc.integer({ min: 1, max: 99 }).map((output) => ({ output })),
      },
      { requiredKeys: ["price"] },
    ),
    { minLength: 2, maxLength: 6 },
  ) as fc.Arbitrary<Tier<{ output: number }>[]>;

describe("the price of a request without parameters", () => {
  it.each<[string, Values, (defaults: object) => Facts]>([
    ["video", VIDEO, (defaults) => videoFacts({ ...defaults, parts: [] } as never)],
    ["image", IMAGE, (defaults) => imageFacts({ ...defaults, images: [] } as never)],
  ])("the price of a %s is the one that the service charges its defaults by", (made, values, factsOf) => {
    fc.assert(
      fc.property(tiersOf(values), parametersOf(values), (tiers, defaults) => {
        const params = Object.fromEntries(
          Object.entries(defaults).map(([name, value]) => [name, { default: value }]),
        );
        const pricing = { tiers: tiers.map(({ when, price }) => ({ ...(when && { when }), ...price })) };
        const model = { pricing, capabilities: { [made]: { params } }, outputModalities: [made] };
        expect(usualPrice(model)).toEqual(tierOf(tiers, factsOf(defaults)));
      }),
    );
  });
});

describe("the price of a model in a line", () => {
  const video = {
    outputModalities: ["video"],
    capabilities: { video: { params: { resolution: { default: "720p" }, seed: null } } },
    pricing: {
      currency: "USD",
      tiers: [
        { when: { resolution: "4k", videoInput: true }, output: 2.4 },
        { when: { resolution: "1080p" }, output: 7.7 },
        { when: { videoInput: true }, output: 4.3 },
        { output: 7 },
      ],
    },
  };

  it("a price that depends on the request has its range and the default, each labelled", () => {
    expect(sayPrice(video)).toBe("output $2.40–7.70 per million; output $7.00 per million by default");
  });

  it("a price whose default is not known says so, and one price needs no label", () => {
    const open = { ...video.pricing, tiers: video.pricing.tiers.slice(0, 2) };
    expect(sayPrice({ ...video, pricing: open })).toBe(
      "output $2.40–7.70 per million; which depends on the request",
    );
    expect(sayPrice({ outputModalities: ["text"], pricing: { input: 1, output: 2 } })).toBe(
      "input $1.00, output $2.00 per million",
    );
    expect(sayPrice({ outputModalities: ["text"] })).toBeUndefined();
  });
});
