import { countNames, type JsonObject } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

const messages = [{ role: "user", content: "Hello" }];
const GENERATE = "/api/genstyle/v1beta/models/sim-genstyle:generateContent";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const asked = (): number => h.simulator.ledger.entries.length;

describe("bodies that two parsers read differently", () => {
  it.each<[string, string, string, string]>([
    [
      "a name in another case",
      CHAT,
      JSON.stringify({ model: "sim-chatstyle", messages, Model: "dear" }),
      "'Model': differs from 'model' only by case; use that name.",
    ],
    [
      "a limit in another case",
      CHAT,
      JSON.stringify({ model: "sim-chatstyle", messages, max_tokens: 1, Max_Tokens: 1e5 }),
      "'Max_Tokens': differs from 'max_tokens' only by case; use that name.",
    ],
    [
      "a letter that only folds to the one that is meant",
      CHAT,
      JSON.stringify({ model: "sim-chatstyle", messages, me\u017f\u017fages: [] }),
      "'me\u017f\u017fages': differs from 'messages' only by case; use that name.",
    ],
    [
      "the sign of a unit in place of a letter",
      CHAT,
      JSON.stringify({ model: "sim-chatstyle", messages, max_to\u212aens: 1e5 }),
      "'max_to\u212aens': differs from 'max_tokens' only by case; use that name.",
    ],
    [
      "a name that stands there twice",
      CHAT,
      `{"model":"sim-chatstyle","messages":${JSON.stringify(messages)},"max_tokens":100000,"max_tokens":1}`,
      "'max_tokens': occurs twice in the request body.",
    ],
    [
      "an unknown name that stands there twice",
      CHAT,
      `{"model":"sim-chatstyle","messages":${JSON.stringify(messages)},"x":1,"x":2}`,
      "'x': occurs twice in the request body.",
    ],
    [
      "a parameter twice in its record",
      GENERATE,
      `{"contents":"Hello","generationConfig":{"maxOutputTokens":100000,"maxOutputTokens":1}}`,
      "'generationConfig.maxOutputTokens': occurs twice in the request body.",
    ],
    [
      "a parameter of a record in another case",
      GENERATE,
      JSON.stringify({ contents: "Hello", generationConfig: { MaxOutputTokens: 1e5 } }),
      "generationConfig.'MaxOutputTokens': differs from 'generationConfig.maxOutputTokens' only by case; use that name.",
    ],
  ])("a body is refused for %s, and nothing is sent", async (_, path, body, message) => {
    const before = asked();
    const response = await h.call(path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "ambiguous_member", errors: [message] });
    expect(asked()).toBe(before);
  });

  it("a body with strange but distinct names is accepted", async () => {
    const body = { model: "sim-chatstyle", messages, x_modelo: 1, maxTokens: 1, MESSAGE: "", models_: [] };
    const before = asked();
    // The provider is its judge.
    await h.call(CHAT, body);
    expect(asked()).toBe(before + 1);
  });

  it("names may repeat any number of times within the messages of a body", async () => {
    const content = '{"model":1,"model":2,"max_tokens":3} "messages": "messages"';
    const body = { model: "sim-chatstyle", messages: [{ role: "user", content, name: "model" }] };
    expect((await h.call(CHAT, body)).status).toBe(200);
  });
});

it("member names are counted as a parser finds them, with those that it drops", () => {
  const key = fc.oneof(fc.constantFrom("a", 'q"', "\\", ":", "{", "\u00e9"), fc.string({ maxLength: 4 }));
  const leaf = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null));
  const inner = fc.oneof(leaf, fc.array(fc.dictionary(key, leaf, { maxKeys: 3 }), { maxLength: 3 }));
  const record = fc.dictionary(key, fc.oneof(inner, fc.dictionary(key, inner, { maxKeys: 4 })), {
    maxKeys: 6,
  });
  fc.assert(
    fc.property(record, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const object = value as JsonObject;
      const below = Object.values(object).flatMap((one) =>
        typeof one === "object" && one !== null && !Array.isArray(one) ? Object.keys(one) : [],
      );
      const counted = { top: Object.keys(object).length, below: below.length };
      expect(countNames(JSON.stringify(object, null, space))).toEqual(counted);
    }),
  );
});
