import { samples } from "@manifold-gateway/simulator";
import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { stage } from "../../gateway/media/stage.ts";

const set = stage();

const PNG = "89504e47";
const headOf = (b64: string | undefined): string =>
  Buffer.from(b64 ?? "", "base64")
    .subarray(0, 4)
    .toString("hex");

describe("images by the official SDK", () => {
  it("images come in base64 from a model that gives no addresses", async () => {
    const { data, usage } = await set.chatstyle.images.generate({
      model: "image-chat",
      prompt: "A door.",
      n: 2,
    });
    expect(data?.map(({ b64_json }) => headOf(b64_json))).toEqual([PNG, PNG]);
    expect(usage?.output_tokens).toBeGreaterThan(0);
  });

  it("images come as our own links from a model that gives addresses, unless bytes are requested", async () => {
    const linked = await set.chatstyle.images.generate({ model: "image", prompt: "A door." });
    expect(linked.data?.[0]?.url).toContain(`${set.h.origin}/api/objects/`);
    const inline = await set.chatstyle.images.generate({
      model: "image",
      prompt: "A door.",
      response_format: "b64_json",
    });
    expect(headOf(inline.data?.[0]?.b64_json)).toMatch(/^ffd8ff/);
  });

  it("images stream their previews where the provider can", async () => {
    const types: string[] = [];
    const stream = await set.chatstyle.images.generate({
      model: "image-chat",
      prompt: "A door.",
      stream: true,
      partial_images: 2,
    });
    for await (const event of stream) {
      types.push(event.type);
      expect(headOf(event.b64_json)).toBe(PNG);
    }
    expect(types).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
  });

  it("images are one JSON answer where the provider cannot stream", async () => {
    const response = await set.h.call("/api/chatstyle/v1/images/generations", {
      model: "image",
      prompt: "A door.",
      stream: true,
    });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect((await response.json()).data).toHaveLength(1);
  });

  it("images are edited, from files and with partial pictures", async () => {
    const file = await toFile(samples.png(640, 640), "a.png", { type: "image/png" });
    const { data } = await set.chatstyle.images.edit({
      model: "image-chat",
      image: [file, file],
      prompt: "Blue.",
      n: 1,
    });
    expect(headOf(data?.[0]?.b64_json)).toBe(PNG);
    const types: string[] = [];
    const stream = await set.chatstyle.images.edit({
      model: "image-chat",
      image: file,
      prompt: "Blue.",
      stream: true,
      partial_images: 1,
    });
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_edit.partial_image", "image_edit.completed"]);
  });

  it("the image SDK's errors say what is wrong", async () => {
    const ask = set.chatstyle.images.generate({ model: "image-chat", prompt: "A door.", n: 11 });
    await expect(ask).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/\bn: .*image-chat/),
    });
  });

  it("files of which the SDK says no type are edited, with a mask where the model takes one", async () => {
    const [image, mask] = [
      await toFile(samples.png(640, 640), "a"),
      await toFile(samples.png(640, 640), "m"),
    ];
    const masked = (model: string) => set.chatstyle.images.edit({ model, image, mask, prompt: "Blue." });
    expect(headOf((await masked("image-chat")).data?.[0]?.b64_json)).toBe(PNG);
    for (const model of ["image", "image-generate"])
      await expect(masked(model)).rejects.toMatchObject({
        status: 400,
        param: "mask",
        message: expect.stringContaining(`(model '${model}')`),
      });
  });
});
