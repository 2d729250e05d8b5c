import { codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { expect, it } from "vitest";

const request = (serviceTier: string): TextRequest => ({
  model: "m",
  stream: false,
  messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
  params: { serviceTier },
});

/** The native wire has no tiers. */
const { native: _, ...tiered } = codecs;

it.each(Object.values(tiered).map((codec) => [codec.protocol, codec] as const))(
  "the loss of a tier in %s says that there is none",
  (_name, codec) => {
    for (const tier of ["auto", "flex", "standard", "standard_only", "odd"]) {
      const { losses } = encodeRequest(request(tier), codec, { maxOutput: 1_000 });
      for (const { path, why, detail } of losses.filter(({ path }) => path === "/params/serviceTier"))
        expect([path, why, detail]).toEqual([path, why, expect.stringMatching(/no tier/)]);
    }
  },
);
