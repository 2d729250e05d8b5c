import {
  type AnyCodec,
  chatstyle,
  codecs,
  encodeRequest,
  genstyle,
  msgstyle,
  type TextRequest,
} from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Message, Part } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { asked } from "./text-request.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
const picture = (): Part => ({
  type: "media",
  kind: "image",
  source: { type: "base64", mediaType: "image/png", data: PNG },
});
const says = (role: "user" | "assistant", ...parts: (Part | string)[]): Message =>
  ({
    role,
    parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
  }) as Message;
const drawn = (...answer: (Part | string)[]): TextRequest =>
  asked([says("user", "Draw."), says("assistant", ...answer), says("user", "Bluer.")]);

/** The turns as a provider gets them, with `PNG` for the picture, and the losses in them. */
function send(request: TextRequest, to: AnyCodec, traits = {}) {
  const { wire, losses } = encodeRequest(request, to, traits);
  const turns = (wire.messages ?? wire.contents) as JsonObject[];
  const kinds = ({ content, parts }: JsonObject): Json[] => {
    const list = (content ?? parts) as Json;
    return typeof list === "string"
      ? [list]
      : (list as JsonObject[]).map((part) => {
          if (JSON.stringify(part).includes(PNG)) return "PNG";
          return part.text ?? (part.type as Json);
        });
  };
  return {
    turns: turns.map((turn) => [turn.role as Json, ...kinds(turn)]),
    losses: losses.filter(({ path }) => path.startsWith("/messages")),
  };
}

const moved = (part: number) => ({
  path: `/messages/1/parts/${part}`,
  why: "approximated",
  detail: "moved to the next turn of the user",
});

describe("pictures that a model made", () => {
  test.each<[string, AnyCodec]>([
    ["messages", msgstyle],
    ["converse", codecs.conversestyle],
    ["chat", chatstyle],
  ])("go on with the user's next turn where the wire takes none of the model: %s", (_, to) => {
    expect(send(drawn("Here.", picture()), to)).toEqual({
      turns: [
        ["user", "Draw."],
        ["assistant", "Here."],
        ["user", "PNG", "Bluer."],
      ],
      losses: [moved(1)],
    });
  });

  test("leave a word behind in a turn without any", () => {
    expect(send(drawn(picture(), picture()), msgstyle)).toEqual({
      turns: [
        ["user", "Draw."],
        ["assistant", "(The pictures follow.)"],
        ["user", "PNG", "PNG", "Bluer."],
      ],
      losses: [moved(0), moved(1)],
    });
  });

  test("stand behind results", () => {
    const call: Part = { type: "call", id: "c1", name: "f", arguments: "{}" };
    const result: Part = { type: "result", id: "c1", parts: [{ type: "text", text: "ok" }] };
    const request = asked([
      says("user", "Draw."),
      says("assistant", picture(), call),
      says("user", result, "Go on."),
    ]);
    const [, , turn] = send(request, msgstyle).turns;
    expect(turn).toEqual(["user", "tool_result", "PNG", "Go on."]);
  });

  test("stay where the wire takes them", () => {
    const { turns, losses } = send(drawn("Here.", picture()), genstyle);
    expect(turns[1]).toEqual(["model", "Here.", "PNG"]);
    expect(losses).toEqual([]);
    const { wire } = encodeRequest(drawn("Here.", picture()), chatstyle, { extensions: ["images"] });
    expect((wire.messages as JsonObject[])[1]).toMatchObject({
      content: "Here.",
      images: [{ type: "image_url" }],
    });
  });
});
