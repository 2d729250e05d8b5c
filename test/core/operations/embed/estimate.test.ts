import { estimateEmbed } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, bytes, images, text } from "./kit.ts";

describe("estimates where no usage is reported", () => {
  test.each([
    [ask([text("abcd")], [text("abcde")]), {}, { input: 3 }],
    [ask([text("é\u{1f600}")]), {}, { input: 2 }],
    [ask([bytes("image", "image/png"), bytes("image", "image/png")]), {}, { input: 516, imageInput: 516 }],
    [ask([bytes("audio", "audio/wav")]), { seconds: () => 10 }, { input: 320, audioInput: 320 }],
    [ask([bytes("audio", "audio/wav")]), {}, { input: 5760, audioInput: 5760 }],
    [ask([bytes("video", "video/mp4")]), { seconds: () => 1.5 }, { input: 387, videoInput: 387 }],
    [ask([bytes("video", "video/mp4")]), {}, { input: 30960, videoInput: 30960 }],
    [ask([bytes("document", "application/pdf")]), { pages: () => 2 }, { input: 516, imageInput: 516 }],
    [{ model: "m", inputs: [{ tokens: [1, 2, 3] }] }, {}, { input: 3 }],
  ])("the tokens of an embedding are estimated (%#)", (request, measures, usage) => {
    expect(estimateEmbed(request, measures)).toEqual({ ...usage, estimated: true });
  });

  test("parts never come to more than the whole, and knowing more never makes it dearer", () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.constantFrom(...images, bytes("audio", "audio/wav"), bytes("video", "video/mp4")),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { maxLength: 3 }), { maxLength: 3 }),
        fc.double({ min: 0, max: 120, noNaN: true }),
        (inputs, seconds) => {
          const blind = estimateEmbed(ask(...inputs));
          const known = estimateEmbed(ask(...inputs), { seconds: () => seconds });
          expect(known.input).toBeLessThanOrEqual(blind.input);
          const { imageInput = 0, audioInput = 0, videoInput = 0 } = blind;
          expect(imageInput + audioInput + videoInput).toBeLessThanOrEqual(blind.input);
        },
      ),
    );
  });
});
