import { type Ask, type Capabilities, check, type RequestedPart } from "@manifold-gateway/core/capability";
import { checkEmbed, embedLimitsOf } from "@manifold-gateway/core/operations";
import { imageModels, videoModels } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

const kinds = ["image", "document", "audio", "video"] as const;
type Kind = (typeof kinds)[number];

const refusedOf = (capabilities: Capabilities, operation: Ask["operation"], kind: Kind) => {
  const part: RequestedPart = { kind, path: "/content/0" };
  const ask: Ask = { operation, model: "m", params: [], parts: [part] };
  return check(capabilities, ask).find(
    ({ code, path }) => path === part.path && (code === "unsupported_input" || code === "too_many_inputs"),
  );
};

/** The kinds that a sentence lists as taken. */
const listed = (message: string): Kind[] => {
  const [, list = ""] = /accepts (.*?)\./.exec(message) ?? [];
  return kinds.filter((kind) => new RegExp(`\\b${kind}\\b`).test(list));
};

describe("refusals of media", () => {
  const models = [
    ...Object.entries(imageModels).map(([id, { capabilities }]) => ["image", id, capabilities] as const),
    ...Object.entries(videoModels).map(([id, { capabilities }]) => ["video", id, capabilities] as const),
  ];
  it.each(models)(
    "the refusal of media for the %s model %s lists what the same check takes",
    (operation, _, capabilities) => {
      const refusals = kinds.map((kind) => [kind, refusedOf(capabilities, operation, kind)] as const);
      const taken = refusals.filter(([, refusal]) => refusal === undefined).map(([kind]) => kind);
      const told = refusals.flatMap(([, refusal]) =>
        refusal?.code === "unsupported_input" ? [refusal] : [],
      );
      for (const { message } of told) expect(listed(message)).toEqual(taken);
    },
  );

  it("a refusal of media is met with some known model", () => {
    const isSaid = models.some(([operation, , capabilities]) =>
      kinds.some((kind) => refusedOf(capabilities, operation, kind)?.code === "unsupported_input"),
    );
    expect(isSaid).toBe(true);
  });

  const modalities: Record<Kind, string> = {
    image: "image",
    document: "file",
    audio: "audio",
    video: "video",
  };
  const subsets = Array.from({ length: 16 }, (_, bits) => kinds.filter((_, i) => bits & (1 << i)));
  it.each(subsets.map((taken) => [taken]))(
    "the refusal of an embedding model that takes %j lists what the same check takes",
    (taken) => {
      const takes = embedLimitsOf(taken.map((kind) => modalities[kind]));
      for (const kind of kinds) {
        const source = {
          type: "base64" as const,
          mediaType: takes.media?.[kind]?.types?.[0] ?? "a/b",
          data: "AAAA",
        };
        const request = { model: "m", inputs: [{ parts: [{ type: "media" as const, kind, source }] }] };
        const [issue] = checkEmbed(request, takes);
        if (taken.includes(kind)) expect(issue).toBeUndefined();
        else {
          const [, list = ""] = /only (.*) \(model/.exec(issue?.message ?? "") ?? [];
          expect(list.split(", ").sort()).toEqual(["text", ...taken].sort());
        }
      }
    },
  );
});
