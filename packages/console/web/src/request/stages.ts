import type { Detail } from "./detail.ts";

interface Stage {
  name: string;
  ms: number;
  tone: string;
}

/** The parts of a request's time that its record has: each attempt until its answer began, and the rest. */
export function stagesOf({ attempts = [], durationMs }: Pick<Detail, "attempts" | "durationMs">): Stage[] {
  if (durationMs === undefined) return [];
  let left = durationMs;
  const stages = attempts.map(({ ms }, at): Stage => {
    const taken = Math.min(left, typeof ms === "number" ? ms : 0);
    left -= taken;
    const name = attempts.length > 1 ? `attempt ${at + 1}` : "until the provider answered";
    return { name, ms: taken, tone: `s${at % 5}` };
  });
  return [...stages, { name: "the answer, and our own work", ms: left, tone: "s6" }].filter(
    ({ ms }) => ms > 0,
  );
}
