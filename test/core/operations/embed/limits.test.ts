import {
  checkEmbed,
  type EmbedPart,
  type EmbedRequest,
  embedLimitsOf,
} from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { everyMedia } from "../../../../packages/core/src/operations/embed/index.ts";
import { ask, bytes, type Kind, text } from "./kit.ts";

describe("the limits of a model of every media", () => {
  const many = (count: number, part: EmbedPart) => ask(Array.from({ length: count }, () => part));
  const messages = (request: EmbedRequest, seconds?: number) =>
    checkEmbed(request, everyMedia, seconds === undefined ? {} : { seconds: () => seconds }).map(
      (issue) => issue.message,
    );
  test.each([
    [many(6, bytes("image", "image/png")), undefined, 0],
    [many(7, bytes("image", "image/png")), undefined, 1],
    [many(1, bytes("image", "image/webp")), undefined, 1],
    [many(1, bytes("audio", "audio/wav")), 180, 0],
    [many(1, bytes("audio", "audio/wav")), 180.01, 1],
    [many(1, bytes("audio", "audio/wav")), undefined, 0],
    [many(2, bytes("audio", "audio/wav")), 1, 1],
    [many(1, bytes("audio", "audio/mpeg")), 1, 1],
    [many(1, bytes("video", "video/mp4")), 120, 0],
    [many(1, bytes("video", "video/quicktime")), 120, 0],
    [many(1, bytes("video", "video/mp4")), 120.5, 1],
    [many(2, bytes("video", "video/mp4")), 1, 1],
    [many(1, bytes("video", "video/webm")), 1, 1],
    [many(1, bytes("document", "application/pdf")), undefined, 0],
    [many(2, bytes("document", "application/pdf")), undefined, 1],
    [many(1, bytes("document", "text/plain")), undefined, 1],
  ])("the limits of a model of every media are checked (%#)", (request, seconds, count) => {
    const found = messages(request, seconds);
    expect(found).toHaveLength(count);
    for (const message of found) expect(message).toMatch(/^inputs\.0\.parts\.\d: .*\(model 'm'\)$/);
  });

  test.each([
    [["text"], []],
    [["text", "image"], ["image"]],
    [["text", "file"], ["document"]],
    [
      ["text", "image", "audio", "video", "file"],
      ["image", "audio", "video", "document"],
    ],
  ] as const)("a model with inputs %j takes %j", (modalities, kinds) => {
    const takes = embedLimitsOf(modalities);
    expect(Object.keys(takes.media ?? {})).toEqual(kinds);
    const types = { image: "image/png", audio: "audio/wav", video: "video/mp4", document: "application/pdf" };
    for (const [kind, mediaType] of Object.entries(types)) {
      const issues = checkEmbed(ask([bytes(kind as Kind, mediaType)]), takes);
      expect(issues).toHaveLength((kinds as readonly string[]).includes(kind) ? 0 : 1);
    }
  });

  test.each([
    [undefined, 5, 0],
    [{ min: 128, max: 3072 }, 127, 1],
    [{ min: 128, max: 3072 }, 128, 0],
    [{ min: 128, max: 3072 }, 3072, 0],
    [{ min: 128, max: 3072 }, 3073, 1],
    [false, 128, 1],
    [false, undefined, 0],
  ] as const)("dimensions are checked by %j: %j", (dimensions, asked, count) => {
    const request = { ...ask([text("a")]), ...(asked !== undefined && { dimensions: asked }) };
    const issues = checkEmbed(request, dimensions === undefined ? {} : { dimensions });
    expect(issues.map((issue) => issue.path)).toEqual(count === 1 ? ["/dimensions"] : []);
  });
});
