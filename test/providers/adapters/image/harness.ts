import type { ImageAsk } from "@manifold-gateway/core/operations";
import { adapters, type Line, type Service, type Wire } from "@manifold-gateway/providers";
import { startLine } from "../speech/line.ts";
import { askOf } from "./kit.ts";

const bases: Partial<Record<Wire, string>> = {
  chatstyle: "/v1",
  mediastyle: "/api/v3",
  genstyle: "/v1beta",
  pixelstyle: "/v1",
  ratiostyle: "/v1",
  routerstyle: "/api/v1",
};
export const serviceOf = (wire: Wire): Partial<Service> => ({
  wire,
  base: bases[wire] ?? "",
  auth: { header: "authorization", scheme: "Bearer" },
});
export const model = "their-model";
export type Answers = Parameters<typeof startLine>[0];

export const lineTo = (wire: Wire, answers: Answers, more: Partial<Line> = {}) =>
  startLine(answers, serviceOf(wire), { model, ...more });

export async function submit(wire: Wire, answers: Answers, ask: ImageAsk = askOf()) {
  const { line, got } = await lineTo(wire, answers);
  return { end: await adapters.image[wire]!.submit(line, ask), got };
}

/** An error as most wires tell it. */
export const error = (code: unknown, message = "why", more: object = {}): object => ({
  error: { code, message, ...more },
});
