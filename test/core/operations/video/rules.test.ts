import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import {
  chatstyleVideoNames,
  checkVideo,
  fitAsk,
  type VideoAsk,
  type VideoPart,
} from "@manifold-gateway/core/operations";
import { videoModels } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { promptFlag } from "../../../../packages/core/src/operations/video/index.ts";
import { askOf, audio, bytes, identity, image, many, text, video } from "./kit.ts";

test.each(Object.entries(videoModels))("%s is a catalog entry", (_, model) => {
  expect(capabilitiesSchema.parse(model.capabilities)).toEqual(model.capabilities);
});

const families = {
  base: "dreamina-seedance-2-0-260128",
  fast: "dreamina-seedance-2-0-fast-260128",
  s15: "seedance-1-5-pro-251215",
  pro: "seedance-1-0-pro-250528",
  quick: "seedance-1-0-pro-fast-251015",
  t2v: "seedance-1-0-lite-t2v-250428",
  i2v: "seedance-1-0-lite-i2v-250428",
  long: "veo-3.1-generate-preview",
  routed: "bytedance/seedance-2.0",
};
const [first, last, reference] = [image("firstFrame"), image("lastFrame"), image("referenceImage")];
const inline = image("firstFrame", bytes("image/png"));

/** What is asked for, and what each family makes of it, in their order. */
const rows: [parts: VideoPart[], more: Partial<VideoAsk>, verdicts: string][] = [
  [[], {}, "yes yes yes yes yes yes no yes yes"],
  [[first], {}, "yes yes yes yes yes no yes no yes"],
  [[inline], {}, "yes yes yes yes yes no yes yes yes"],
  [[first], { duration: 1 }, "no no no no no no no no no"],
  [[inline], { duration: 2 }, "no no no yes yes no yes no no"],
  [[inline], { duration: 4 }, "yes yes yes yes yes no yes yes yes"],
  [[inline], { duration: 12 }, "yes yes yes yes yes no yes no yes"],
  [[inline], { duration: 13 }, "yes yes no no no no no no yes"],
  [[inline], { duration: 16 }, "no no no no no no no no no"],
  [[inline], { resolution: "480p" }, "yes yes yes yes yes no yes no yes"],
  [[inline], { resolution: "720p" }, "yes yes yes yes yes no yes yes yes"],
  [[inline], { resolution: "1080p" }, "yes no yes yes yes no yes yes yes"],
  [[inline], { resolution: "4k" }, "yes no no no no no no yes yes"],
  [[inline], { resolution: "4k", duration: 6 }, "yes no no no no no no no yes"],
  [[inline], { ratio: "16:9" }, "yes yes yes yes yes no yes yes yes"],
  [[inline], { ratio: "adaptive" }, "yes yes yes yes yes no yes no no"],
  [[], { ratio: "adaptive" }, "yes yes yes no no no no no no"],
  [[inline], { ratio: "5:1" }, "no no no no no no no no no"],
  [[inline], { generateAudio: true }, "yes yes yes no no no no yes yes"],
  [[inline], { generateAudio: false }, "yes yes yes no no no no no yes"],
  [[inline], { seed: 7 }, "yes yes yes yes yes no yes yes yes"],
  [[inline], { watermark: true }, "yes yes yes yes yes no yes no yes"],
  [[inline], { cameraFixed: true }, "no no yes yes yes no yes no no"],
  [[reference], { cameraFixed: true }, "no no no no no no no no no"],
  [[inline], { maxTokens: 5 }, "no no no no no no no no no"],
  [[first, last], {}, "yes yes yes yes no no yes no yes"],
  [[last], {}, "no no no no no no no no no"],
  [[first, first], {}, "no no no no no no no no no"],
  [[reference], {}, "yes yes no no no no yes no yes"],
  [many(4, reference), {}, "yes yes no no no no yes no yes"],
  [many(5, reference), {}, "yes yes no no no no no no yes"],
  [many(9, reference), {}, "yes yes no no no no no no yes"],
  [many(10, reference), {}, "no no no no no no no no no"],
  [[reference], { resolution: "1080p" }, "yes no no no no no no no yes"],
  [[first, reference], {}, "no no no no no no no no no"],
  [[first, video()], {}, "no no no no no no no no no"],
  [[video()], {}, "yes yes no no no no no no yes"],
  [many(3, video()), {}, "yes yes no no no no no no yes"],
  [many(4, video()), {}, "no no no no no no no no no"],
  [[video(bytes("video/mp4"))], {}, "yes yes no no no no no no no"],
  [[video(), audio()], {}, "yes yes no no no no no no yes"],
  [[reference, ...many(3, audio(bytes("audio/mp3")))], {}, "yes yes no no no no no no yes"],
  [[reference, ...many(4, audio())], {}, "no no no no no no no no no"],
  [[audio()], {}, "no no no no no no no no no"],
  [[image("referenceImage", identity)], {}, "yes yes no no no no no no no"],
  [[video(identity)], {}, "yes yes no no no no no no no"],
  [[reference, audio(identity)], {}, "yes yes no no no no no no no"],
  [[image("firstFrame", bytes("image/avif"))], {}, "no no no no no no no no no"],
];

test.each(rows)("the rules for videos decide on %j %j", (parts, more, verdicts) => {
  const got = Object.values(families).map((name) => {
    const issues = checkVideo(videoModels[name]?.capabilities, askOf([text(), ...parts], more));
    return issues.some(({ effect }) => effect === "refuse") ? "no" : "yes";
  });
  expect(got.join(" ")).toBe(verdicts);
});

describe("findings on videos", () => {
  const { capabilities } = videoModels[families.pro] ?? {};
  const messages = (ask: VideoAsk, of = capabilities): string[] =>
    checkVideo(of, ask).map(({ message }) => message);

  test("findings name the part, the model and what is allowed", () => {
    expect(messages(askOf([text(), video()]))).toEqual([
      expect.stringMatching(/^content\.1: .*'mine'.*text or image/),
    ]);
    expect(messages(askOf([text(), reference]))[0]).toMatch(/^content\.1: .*'mine'.*firstFrame/);
    expect(
      messages(askOf([text()], { cameraFixed: true }), videoModels[families.base]?.capabilities)[0],
    ).toMatch(/^cameraFixed: .*'mine'/);
  });

  test("findings come once for each fault, also where a model has the same rule", () => {
    const ask = askOf([text()], { maxTokens: 5 });
    expect(checkVideo(capabilities, ask).map(({ path }) => path)).toEqual(["/maxTokens"]);
    expect(checkVideo(undefined, ask).map(({ path }) => path)).toEqual(["/maxTokens"]);
  });

  test("findings are made without capabilities too", () => {
    const of = (parts: VideoPart[]): string[] => checkVideo(undefined, askOf(parts)).map(({ path }) => path);
    expect(of([text(), audio()])).toEqual(["/content/1"]);
    expect(of([last])).toEqual(["/content/0"]);
    expect(of([first, last, first])).toEqual(["/content/2"]);
    expect(of([first, text(), reference])).toEqual(["/content/2"]);
    expect(of([reference, audio(), video()])).toEqual([]);
  });

  test("findings use the caller's own fields", () => {
    const ask = askOf([text()], { duration: 99 });
    expect(checkVideo(capabilities, ask, chatstyleVideoNames)[0]?.message).toMatch(/^seconds: /);
  });

  test("findings decide what is submitted, with the defaults filled in", () => {
    const { capabilities: base } = videoModels[families.base] ?? {};
    expect(fitAsk(askOf([text()], { watermark: true }), "video", base)).toMatchObject({
      duration: 5,
      resolution: "720p",
      ratio: "adaptive",
      generateAudio: true,
      watermark: true,
    });
  });
});

describe("commands in prompts", () => {
  test.each(["x --duration 12", "--rs 1080p x", "x\n--WM false", "x --fps 60", "--cf", "a --seed"])(
    "the prompt %j holds a command",
    (words) => {
      expect(promptFlag(words)).toMatch(/^--/);
      expect(checkVideo(undefined, askOf([text(words)]))).toHaveLength(1);
    },
  );

  test.each(["x -- y", "a--seed", "--seeds", "the --duration-ish", "--unknown 3", "-duration 3"])(
    "the prompt %j holds no command",
    (words) => {
      expect(promptFlag(words)).toBeUndefined();
    },
  );

  test("commands are found in linear time", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 500 }),
        (words) => promptFlag(words) === undefined || words.includes("--"),
      ),
    );
    expect(promptFlag(`${" -".repeat(500_000)}`)).toBeUndefined();
  });
});
