import {
  type EmbedBytes,
  type EmbedPart,
  embedWires,
  fetchesOf,
  inlineEmbed,
} from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { ask, bytes, link, text } from "./kit.ts";

describe("the media to fetch", () => {
  test.each([
    ["genstyle", ["image", "audio", "video", "document"]],
    ["routerstyle", ["audio", "video", "document"]],
    ["mediastyle", ["audio", "document"]],
  ] as const)("media that %s cannot take by address are fetched", (wire, kinds) => {
    const request = ask([text("a"), link("image"), link("audio")], [link("video"), link("document")]);
    const needs = fetchesOf(request, embedWires[wire]);
    expect(needs.map((need) => need.kind)).toEqual(kinds);
    const fetched = new Map(
      needs.map(({ part }): [EmbedPart, EmbedBytes] => [part, { mediaType: "x/y", data: "AAAA" }]),
    );
    const carried: EmbedPart[] = [];
    const whole = inlineEmbed(request, fetched, (from) => carried.push(from));
    expect(fetchesOf(whole, embedWires[wire])).toEqual([]);
    expect(carried).toEqual(needs.map((need) => need.part));
    // Nothing else changed, and the caller's request least of all.
    expect(fetchesOf(request, embedWires[wire])).toEqual(needs);
    expect(JSON.stringify(whole).length).toBeGreaterThan(0);
    for (const { path } of needs) {
      const [, , i, , j] = path.split("/");
      const input = whole.inputs[Number(i)];
      expect(input && "parts" in input && input.parts[Number(j)]).toMatchObject({
        source: { type: "base64", mediaType: "x/y", data: "AAAA" },
      });
    }
  });
  test("a request that is whole already needs no fetch", () => {
    const request = ask([text("a"), bytes("audio", "audio/wav")]);
    expect(fetchesOf(request, embedWires.genstyle)).toEqual([]);
    expect(inlineEmbed(request, new Map())).toEqual(request);
  });
});
