import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdOf } from "../../../packages/gateway/src/billing/amounts.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

/** A model that sets no limit to what it is asked for. */
const bare = (id: string, output: string, provider: string): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: [output],
  isActive: true,
  revision: 1,
  entries: [{ provider, name: id, priority: 1, isActive: true, price: { images: 1e12, seconds: 1e15 } }],
});

let h: Stage;
beforeAll(async () => {
  const open = [bare("open-image", "image", "chatstyle"), bare("open-video", "video", "routerstyle")];
  h = await startMediaStage({ catalog: createCatalog([...models, ...open]) });
});
afterAll(() => h.close());

const most = Number.MAX_SAFE_INTEGER;
const prompt = "A boat.";
const content = [{ type: "text", text: prompt }];

describe("an absurdly large figure", () => {
  it.each([
    ["n", "/api/chatstyle/v1/images/generations", { model: "open-image", prompt, n: most }],
    ["duration", "/api/v1/video/generations", { model: "open-video", content, duration: most }],
    ["duration", "/api/v1/video/estimate", { model: "open-video", content, duration: most }],
    ["seconds", "/api/chatstyle/v1/videos", { model: "open-video", prompt, seconds: most }],
    ["seconds", "/api/chatstyle/v1/videos", { model: "open-video", prompt, seconds: "3601" }],
  ])(
    "an absurd figure of %s at %s is a 400 that names it, and nothing is held",
    async (field, path, body) => {
      const { errors, code } = await h.json(path, body, 400);
      expect([code, errors[0]]).toEqual(["invalid_request", expect.stringContaining(`${field}: `)]);
      expect((await h.balance()).held).toBe(0);
    },
  );

  it("an absurd figure that passes its schema is a 400 where the cost exceeds the largest possible hold", async () => {
    const { code, errors } = await h.json(
      "/api/v1/video/estimate",
      { model: "open-video", content, duration: 3600 },
      400,
    );
    expect([code, errors]).toEqual(["cost_too_large", [expect.stringContaining("more than 1000000 USD")]]);
  });

  it.each([{ output: most }, { output: 1e300 }, { seconds: most }, { output: 1e12 }])(
    "a figure of %j never overflows the hold",
    (usage) => {
      expect(() => holdOf(usage, { output: 2_000_000, seconds: 1 })).toThrow(
        expect.objectContaining({ code: "cost_too_large", status: 400 }),
      );
    },
  );
});
