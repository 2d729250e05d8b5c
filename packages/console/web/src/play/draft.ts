import type { TextRequest } from "@manifold-gateway/core";

/** What is sent, whichever protocol it is sent in. */
export interface Draft {
  model: string;
  system: string;
  user: string;
  maxTokens: string;
  temperature: string;
}

export const emptyDraft: Draft = {
  model: "",
  system: "",
  user: "Say hello in one sentence.",
  maxTokens: "",
  temperature: "",
};

const KEY = "manifold-draft";

/** The draft that this browser was left with. It holds no key. */
export function keptDraft(): Draft {
  try {
    return { ...emptyDraft, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Draft>) };
  } catch {
    return emptyDraft;
  }
}

export const keepDraft = (draft: Draft): void => localStorage.setItem(KEY, JSON.stringify(draft));

const number = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text));

/** The canonical request that a draft is. */
export function toRequest({ model, system, user, ...texts }: Draft): TextRequest {
  const [maxTokens, temperature] = [number(texts.maxTokens), number(texts.temperature)];
  return {
    model,
    stream: true,
    messages: [
      ...(system.trim() === ""
        ? []
        : [{ role: "system" as const, parts: [{ type: "text" as const, text: system }] }]),
      { role: "user", parts: [{ type: "text", text: user }] },
    ],
    params: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
    },
  };
}
