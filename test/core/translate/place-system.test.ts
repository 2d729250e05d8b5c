import { chatstyle, encodeRequest, msgstyle, translateRequest } from "@manifold-gateway/core";
import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import type { Message } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

type Role = "system" | "user" | "assistant";
const say = (role: Role, text: string): Message => ({ role, parts: [{ type: "text", text }] });
const conversation = fc
  .array(fc.constantFrom<Role>("system", "user", "assistant"), { minLength: 1, maxLength: 9 })
  .map((roles) => roles.map((role, i) => say(role, `text ${i}`)));

const places = fc.constantFrom<Traits["midSystem"]>(undefined, "afterUser", false);
const messagesIn = (wire: JsonObject) => wire.messages as { role: Role; content: unknown }[];
const textsIn = (value: unknown): string[] => JSON.stringify(value).match(/text \d+/g) ?? [];

test("the messages wire gets system text behind a user's turn and before one of the model, or none", () => {
  fc.assert(
    fc.property(conversation, places, (messages, midSystem) => {
      const traits = midSystem === undefined ? {} : { midSystem };
      const { wire, losses } = encodeRequest(asked(messages), msgstyle, traits);
      const written = messagesIn(wire);
      for (const [i, { role }] of written.entries()) {
        if (role !== "system") continue;
        expect(midSystem).not.toBe(false);
        expect(written[i - 1]?.role).toBe("user");
        expect(written[i + 1]?.role ?? "assistant").toBe("assistant");
      }
      const head = messages.findIndex(({ role }) => role !== "system");
      expect(textsIn([wire.system, written])).toEqual(messages.map((_, i) => `text ${i}`));
      const changed = messages.flatMap(({ role }, i) => {
        const sent = written.find(({ content }) => textsIn(content).includes(`text ${i}`))?.role;
        return role === "system" && i > head && head >= 0 && sent !== "system" ? [`/messages/${i}`] : [];
      });
      expect(losses.map(({ path }) => path)).toEqual(expect.arrayContaining(changed));
    }),
  );
});

const latin = { role: "system", content: "Answer in Latin." };
const [one, two, three] = [
  { role: "user", content: "one" },
  { role: "assistant", content: "two" },
  { role: "user", content: "three" },
];

test.each<[model: string, place: string, messages: JsonObject[], roles: Role[]]>([
  ["claude-sonnet-4-5", "behind the model", [one, two, latin, three], ["user", "assistant", "user"]],
  ["claude-sonnet-4-5", "at the end", [one, two, three, latin], ["user", "assistant", "user"]],
  ["anthropic.claude-opus-4-7-v1:0", "at the end", [one, latin], ["user"]],
  ["claude-sonnet-5", "at the end", [one, latin], ["user"]],
  ["claude-opus-4-8", "behind the model", [one, two, latin, three], ["user", "assistant", "user"]],
  ["claude-opus-4-8", "between two of the user", [one, latin, three], ["user"]],
  ["claude-opus-4-8", "before the model", [one, latin, two, three], ["user", "system", "assistant", "user"]],
  ["claude-opus-5", "twice at the end", [one, latin, latin], ["user", "system"]],
  ["claude-a-new-family-7", "at the end", [one, two, three, latin], ["user", "assistant", "user", "system"]],
])("%s gets system text %s as it takes it", (model, _, messages, roles) => {
  const { wire } = translateRequest(
    { model, messages },
    { from: chatstyle, to: msgstyle, traits: knownTraits(model) },
  );
  expect(messagesIn(wire).map(({ role }) => role)).toEqual(roles);
  expect(JSON.stringify(wire.messages)).toContain("Answer in Latin.");
  expect(wire.system).toBeUndefined();
});

test("a router's chat wire gets a model's system text where the model takes it", () => {
  const model = "anthropic/claude-sonnet-4.5";
  const { wire, losses } = encodeRequest(
    asked([say("user", "one"), say("assistant", "two"), say("system", "three")]),
    chatstyle,
    knownTraits(model),
  );
  expect(messagesIn(wire).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(losses).toEqual([
    { path: "/messages/2", why: "approximated", detail: "sent as a message of the user, in its place" },
  ]);
});

test("a model without system text gets all of it as the user's", () => {
  const { wire } = encodeRequest(asked([say("system", "first"), say("user", "hi")]), chatstyle, {
    system: false,
  });
  expect(messagesIn(wire).map(({ role }) => role)).toEqual(["user", "user"]);
});

test("a turn of the model that says nothing is left out, whatever the target", () => {
  for (const to of [chatstyle, msgstyle]) {
    const { wire, losses } = encodeRequest(
      asked([say("user", "hi"), { role: "assistant", parts: [] }, say("user", "go on")]),
      to,
      { maxOutput: 9 },
    );
    expect(messagesIn(wire).filter(({ role }) => role === "assistant")).toEqual([]);
    expect(losses[0]).toEqual({ path: "/messages/1", why: "unsupported", detail: "the turn is empty" });
  }
});
