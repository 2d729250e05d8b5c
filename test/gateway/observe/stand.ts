import type { Gateway } from "@manifold-gateway/gateway";
import { type Stage, startStage } from "../../support/stage.ts";

/** Chat, translated for a messages model: one call, one settlement, and one loss. */
export const translated = {
  model: "sim-msgstyle",
  max_tokens: 32,
  logprobs: true,
  messages: [{ role: "user", content: "hello" }],
};

/** A gateway that is watched, for the length of `work`. */
export async function withHarness<T>(
  options: Parameters<typeof startStage>[0],
  work: (harness: Stage & { gateway: Gateway }) => Promise<T>,
): Promise<T> {
  const harness = await startStage(options);
  try {
    return await work(harness);
  } finally {
    await harness.close();
  }
}

/** The values of a metric by the labels that were asked for. */
export function valuesOf(text: string, name: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = "", value] = /\{(.*)\} (\S+)$/.exec(line) ?? [];
      return [labels, Number(value)];
    }),
  );
}
