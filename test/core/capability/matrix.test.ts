import { askOfBody, type Capabilities, check, toJsonSchema } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { imageFamilies, videoFamilies } from "./families.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, ownProperties: true });
const many = (count: number, part: JsonObject): JsonObject[] => Array.from({ length: count }, () => part);
const picture = { type: "imageUrl", url: "https://a.example/b.png" };
const inline = { type: "imageBase64", data: "QUJD", mediaType: "image/png" };
const first = { ...inline, role: "firstFrame" };
const last = { ...inline, role: "lastFrame" };
const clip = { type: "videoUrl", url: "https://a.example/b.mp4" };
const sound = { type: "audioUrl", url: "https://a.example/b.mp3", role: "referenceAudio" };

/** `+` taken, `o` taken without it, `x` refused. */
function verdict(capabilities: Capabilities, operation: "image" | "video", body: JsonObject): string {
  const effects = check(capabilities, askOfBody(operation, "m", body)).map(({ effect }) => effect);
  return effects.includes("refuse") ? "x" : effects.includes("drop") ? "o" : "+";
}

type Row = [asked: JsonObject, verdicts: string];

/** Columns: free, pro, lite, four, three, edit. `edit` is always given its one image. */
const imageRows: Row[] = [
  [{ content: [picture] }, "++++x+"],
  [{ content: many(2, picture) }, "++++xx"],
  [{ content: many(11, picture) }, "+x++xx"],
  [{ content: many(15, picture) }, "+xxxxx"],
  [{ content: many(17, picture) }, "xxxxxx"],
  [{ content: [{ ...inline, mediaType: "image/avif" }] }, "xxxxxx"],
  [{ content: [clip] }, "xxxxxx"],
  [{ numberOfImages: 2 }, "+x++xx"],
  [{ numberOfImages: 11 }, "xx++xx"],
  [{ numberOfImages: 16 }, "xxxxxx"],
  [{ numberOfImages: "2" }, "xxxxxx"],
  [{ numberOfImages: 14, content: [picture] }, "xx++xx"],
  [{ numberOfImages: 10, content: many(6, picture) }, "+xxxxx"],
  [{ size: "2048x2048" }, "+++++x"],
  [{ size: "1024x1024" }, "++x++x"],
  [{ size: "1025x1024" }, "x+x++x"],
  [{ size: "4096x1024" }, "x+++xx"],
  [{ size: "auto" }, "+xxxxx"],
  [{ size: "2K" }, "x+++xx"],
  [{ size: "adaptive" }, "xxxxx+"],
  [{ size: "0x0" }, "xxxxxx"],
  [{ guidanceScale: 7.5 }, "xxxx++"],
  [{ guidanceScale: 11 }, "xxxxxx"],
  [{ outputFormat: "png" }, "+++xxx"],
  [{ outputFormat: "jpeg" }, "++++++"],
  [{ outputFormat: "webp" }, "+xxxxx"],
  [{ quality: "high" }, "+ooooo"],
  [{ background: "opaque" }, "++xxxx"],
  [{ background: "transparent" }, "+xxxxx"],
  [{ background: "transparent", outputFormat: "jpeg" }, "xxxxxx"],
  [{ background: "transparent", outputFormat: "png", content: [picture] }, "++xxxx"],
  [{ background: "transparent", outputFormat: "png", content: many(2, picture) }, "+xxxxx"],
  [{ outputCompression: 80, outputFormat: "webp" }, "+xxxxx"],
  [{ outputCompression: 80, outputFormat: "png" }, "xxxxxx"],
  [{ outputCompression: 80 }, "xxxxxx"],
  [{ responseFormat: "url" }, "o+++++"],
  [{ watermark: true }, "x+++++"],
  [{ optimizePromptOptions: { mode: "standard" } }, "x+++xx"],
  [{ optimizePromptOptions: { mode: "fast" } }, "x+x+xx"],
  [{ optimizePromptOptions: "fast" }, "xxxxxx"],
  [{ maxTokens: 100 }, "oooooo"],
];

/** Columns: base, fast, middle, old, quick, light, eight. */
const videoRows: Row[] = [
  [{}, "+++++++"],
  [{ duration: 4 }, "+++++++"],
  [{ duration: 2 }, "xxx+++x"],
  [{ duration: 5 }, "++++++x"],
  [{ duration: 15 }, "++xxxxx"],
  [{ duration: 4.5 }, "xxxxxxx"],
  [{ resolution: "480p" }, "++++++x"],
  [{ resolution: "1080p" }, "+x+++++"],
  [{ resolution: "1080p", duration: 4 }, "+x++++x"],
  [{ resolution: "4k" }, "+xxxxx+"],
  [{ ratio: "adaptive" }, "+++xxxx"],
  [{ ratio: "adaptive", content: [first] }, "++++++x"],
  [{ generateAudio: true }, "+++xxx+"],
  [{ generateAudio: false }, "+++xxxx"],
  [{ seed: -1 }, "+++++++"],
  [{ watermark: true }, "++++++x"],
  [{ cameraFixed: true }, "xx++++x"],
  [{ cameraFixed: true, content: [inline] }, "xxxxxxx"],
  [{ maxTokens: 100 }, "xxxxxxx"],
  [{ content: [first] }, "+++++++"],
  [{ content: [picture] }, "++xxx+x"],
  [{ content: [first, last] }, "++++x++"],
  [{ content: [last] }, "xxxxxxx"],
  [{ content: [first, inline] }, "xxxxxx+"],
  [{ content: many(3, inline) }, "++xxx++"],
  [{ content: many(4, inline) }, "++xxx+x"],
  [{ content: many(9, inline) }, "++xxxxx"],
  [{ content: many(10, inline) }, "xxxxxxx"],
  [{ content: [clip] }, "++xxxxx"],
  [{ content: many(4, clip) }, "xxxxxxx"],
  [{ content: [{ type: "videoBase64", data: "QUJD", mediaType: "video/mp4" }] }, "xxxxxxx"],
  [{ content: [sound] }, "xxxxxxx"],
  [{ content: [sound, inline] }, "++xxxxx"],
  [{ content: [sound, clip] }, "++xxxxx"],
  [{ content: [sound, first] }, "xxxxxxx"],
  [{ content: [{ type: "kycImageAssetId", assetId: "a" }] }, "++xxxxx"],
  [{ content: [{ type: "kycAudioAssetId", assetId: "a" }, clip] }, "++xxxxx"],
];

const tables = [
  ["image", imageFamilies, imageRows],
  ["video", videoFamilies, videoRows],
] as const;

describe.each(tables)("%s models", (operation, families, rows) => {
  const entries = Object.entries<Capabilities>(families);
  const bodyFor = (family: string, body: JsonObject): JsonObject =>
    family === "edit" && body.content === undefined ? { ...body, content: [picture] } : body;

  test.each(rows.map(([body, verdicts]) => ({ body, verdicts })))(
    "the verdicts on $body follow its table",
    ({ body, verdicts }) => {
      expect(entries.map(([name, one]) => verdict(one, operation, bodyFor(name, body))).join("")).toBe(
        verdicts,
      );
    },
  );

  test.each(entries)(
    "the JSON Schema of %s takes what is taken, and less only in numbers of sizes",
    (name, one) => {
      const validate = ajv.compile(toJsonSchema(one, operation));
      for (const [body] of rows) {
        const whole = bodyFor(name, body);
        const taken = verdict(one, operation, whole) !== "x";
        if (taken || typeof body.size !== "string")
          expect({ whole, taken: validate(whole) }).toEqual({ whole, taken });
      }
    },
  );
});
