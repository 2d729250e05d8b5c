import { chatstyle, responses, translateRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { defineProvider, knownTraits } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

const asked = {
  instructions: "Be brief.",
  input: [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Use tools." }] },
    { role: "user", content: "hi" },
  ],
  tools: [{ type: "custom", name: "apply_patch", description: "Applies a patch." }],
  max_output_tokens: 99,
};

/** What a chat server gets: the roles, the kind of the tool and the member of the limit. */
function spelled(model: string, origin = "http://127.0.0.1:9/v1") {
  const { speaks } = defineProvider("p", { origin, speaks: ["chatstyle"] });
  const { wire } = translateRequest(
    { model, ...asked },
    {
      from: responses,
      to: chatstyle,
      traits: {
        ...knownTraits(model),
        ...speaks.chatstyle?.serverTraits,
      },
    },
  );
  const roles = (wire.messages as JsonObject[]).map(({ role }) => role);
  const [tool] = wire.tools as JsonObject[];
  const limit = Object.keys(wire).find((name) => name.startsWith("max_"));
  return [roles.findLast((role) => role !== "user"), tool?.type, limit];
}

const older = ["system", "function", "max_tokens"];
const newer = ["developer", "custom", "max_completion_tokens"];

describe("a chat server", () => {
  it.each([
    ["deepseek-v4-pro", older],
    ["mistral-large-latest", older],
    ["grok-4.5", older],
    ["openai/gpt-oss-120b", older],
    ["anthropic/claude-opus-5", older],
    ["a-model-of-our-own", older],
    ["gpt-5.6-luna", newer],
    ["o4-mini", newer],
    ["azure/gpt-5-mini-2025-08-07", newer],
    ["gpt-9", newer],
  ])("gets the spellings that every server knows, unless its model %s takes newer ones", (model, words) => {
    expect(spelled(model)).toEqual(words);
  });

  it.each([
    ["https://api.openai.com/v1", newer],
    ["https://eu.api.openai.com/v1", newer],
    ["https://example.openai.azure.com/openai/v1", newer],
    ["https://api.openai.com.example.org/v1", older],
  ])("at %s is known by its address, whatever its models are called", (origin, words) => {
    expect(spelled("our-deployment", origin)).toEqual(words);
  });
});
