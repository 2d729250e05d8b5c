import type { Loss } from "@manifold-gateway/core";
import { lookup } from "@manifold-gateway/core/codec";
import type { ImageAsk, VideoAsk } from "@manifold-gateway/core/operations";
import { adapters, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { audio, bytes, text, askOf as videoAsk } from "../../core/operations/video/kit.ts";
import { lineTo as imageLine } from "./image/harness.ts";
import { everything, askOf as imageAsk } from "./image/kit.ts";
import { json } from "./speech/line.ts";
import { lineTo as videoLine } from "./video/harness.ts";

/** What a wire does with an ask: all that it was sent, and what it says it cannot say. */
interface Said {
  sent: string;
  losses: Loss[];
}

/** A parameter either changes what is sent, or is named as lost: never both, never neither. */
function expectAccounted(name: string, plain: Said, more: Said, path = `/${name}`): void {
  const lost = more.losses.map((loss) => loss.path);
  expect(plain.losses).toEqual([]);
  expect(lost).toEqual(more.sent === plain.sent ? [path] : []);
}

test("routers are sent the shape and the seed of a picture, generate content its shape; other members are lost", () => {
  const fields = { aspect_ratio: "16:9", resolution: "2K", seed: 7, novel: 1 };
  const ask = imageAsk({ extra: { protocol: "chatstyle", fields } });
  const lost = (wire: "routerstyle" | "genstyle") =>
    adapters.image[wire]!.losses!(ask).map(({ path }) => path);
  expect(lost("routerstyle")).toEqual(["/extra/novel"]);
  expect(lost("genstyle")).toEqual(["/extra/seed", "/extra/novel"]);
});

const { responseFormat: _, ...imageParams } = everything;
const imageWires = Object.keys(adapters.image) as Wire[];

describe.each(imageWires)("a picture on %s", (wire) => {
  const say = async (ask: ImageAsk): Promise<Said> => {
    const { line, got } = await imageLine(wire, [json({}, 400)]);
    await adapters.image[wire]!.submit(line, ask);
    return { sent: JSON.stringify(got.map(({ body }) => body)), losses: adapters.image[wire]!.losses!(ask) };
  };

  test.each(Object.entries(imageParams))("%s is sent or reported as a loss", async (name, value) => {
    // Each unknown field is a loss of its own.
    const path = name === "extra" ? `/extra/${Object.keys(everything.extra!.fields)}` : undefined;
    expectAccounted(name, await say(imageAsk()), await say(imageAsk({ [name]: value })), path);
  });

  test("omitting a word that changes nothing is not reported as a loss", async () => {
    expect(
      (await say(imageAsk({ watermark: false, responseFormat: "url", numberOfImages: 1 }))).losses,
    ).toEqual([]);
  });
});

const videoParams: Partial<VideoAsk> = {
  duration: 8,
  resolution: "1080p",
  ratio: "16:9",
  seed: 7,
  watermark: true,
  cameraFixed: true,
  maxTokens: 5,
};
/** The value that is worth a word, where it is not the same on all wires. */
const audible: Partial<Record<Wire, boolean>> = { genstyle: false };
const videoWires = Object.keys(adapters.video) as Wire[];

describe.each(videoWires)("a video on %s", (wire) => {
  const say = async (ask: VideoAsk): Promise<Said> => {
    const { line, got } = await videoLine(wire, [json({}, 400)]);
    await adapters.video[wire]!.submit(line, ask);
    return { sent: JSON.stringify(got.map(({ body }) => body)), losses: adapters.video[wire]!.losses!(ask) };
  };
  const params = { ...videoParams, generateAudio: lookup(audible as Record<string, boolean>, wire) ?? true };

  test.each(Object.entries(params))("%s is sent or reported as a loss", async (name, value) => {
    expectAccounted(name, await say(videoAsk([text()])), await say(videoAsk([text()], { [name]: value })));
  });
});

test("a kind of part that a wire has no place for is refused", async () => {
  const { line, got } = await videoLine("genstyle", [json({ name: "o" })]);
  const end = adapters.video.genstyle!.submit(line, videoAsk([text(), audio(bytes("audio/mp3"))]));
  expect(await end).toMatchObject({
    state: "failed",
    trouble: { kind: "refused", message: /^content\.1: .*audio/ },
  });
  expect(got).toEqual([]);
});
