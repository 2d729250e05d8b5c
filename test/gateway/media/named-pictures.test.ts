import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

const IMAGES = "/api/chatstyle/v1/images/generations";
const inline = `data:image/png;base64,${samples.png(64, 64).toString("base64")}`;
const linked = "https://files.example.com/a.png";
/** The request that the provider would be sent for pictures in `image`. */
const sent = async (model: string, image: Json): Promise<Json> => {
  const headers = { "x-explain": "true" };
  return (await h.json(IMAGES, { model, prompt: "At night.", image }, 200, { headers })).upstream.body;
};

describe("pictures that a request to generate names in `image`", () => {
  it("are pictures to start from where the wire has them so", async () => {
    expect(await sent("image", linked)).toMatchObject({ image: linked });
    const { image } = await sent("image", [linked, inline]);
    expect([image[0], image[1].slice(0, 15)]).toEqual([linked, inline.slice(0, 15)]);
    const [{ parts }] = (await sent("image-generate", inline)).contents;
    expect(parts).toMatchObject([{ text: "At night." }, { inlineData: { mimeType: "image/png" } }]);
  });

  it("go on as they came where the wire is sent all members", async () => {
    expect(await sent("image-chat", linked)).toMatchObject({ image: linked });
  });

  it("are checked as any others are", async () => {
    const refused = async (image: Json) =>
      (await h.json(IMAGES, { model: "image", prompt: "x", image }, 400)).errors;
    expect(await refused("http://10.0.0.1/a.png")).toEqual([expect.stringMatching(/^image: /)]);
    expect((await refused(Array(16).fill(linked))).join()).toContain("image");
  });

  it("of no form that can be read are a loss", async () => {
    const response = await h.call(IMAGES, { model: "image", prompt: "x", image: { id: "7" } });
    expect([response.status, response.headers.get("x-losses")]).toEqual([200, "/image;unsupported"]);
  });
});
