import type { VideoAsk } from "@manifold-gateway/core/operations";
import { adapters, type Line, type Service, type Wire } from "@manifold-gateway/providers";
import { startLine } from "../speech/line.ts";

export const bases: Partial<Record<Wire, string>> = {
  mediastyle: "/api/v3",
  genstyle: "/v1beta",
  predictstyle: "/v1",
  routerstyle: "/api/v1",
};
export const model = "maker/their-model";
export type Answers = Parameters<typeof startLine>[0];

export function lineTo(wire: Wire, answers: Answers, more: Partial<Line> = {}) {
  const base = bases[wire] ?? "";
  const service: Partial<Service> = { wire, base, auth: { header: "authorization", scheme: "Bearer" } };
  return startLine(answers, service, { model, ...more });
}
export async function submit(wire: Wire, answers: Answers, ask: VideoAsk, more: Partial<Line> = {}) {
  const { line, got } = await lineTo(wire, answers, more);
  return { end: await adapters.video[wire]!.submit(line, ask), got };
}
export async function poll(wire: Wire, answers: Answers) {
  const { line, got } = await lineTo(wire, answers);
  return { end: await adapters.video[wire]!.poll!(line, "id/1"), got };
}

export const task = "/api/v3/contents/generations/tasks";

/** A finished video somewhere else. */
export const sample = { video: { uri: "https://elsewhere/v1beta/files/a" } };
