import type { Media, Reading, Reply, ReplyPart, ResultPart } from "../content/request-content.ts";
import { textOf } from "../content/request-content.ts";
import type { Directives } from "../script/directives.ts";
import { callsFor } from "./calls.ts";
import { fit } from "./fit.ts";
import { sample } from "./sample.ts";
import { type Situation, situationOf } from "./situation.ts";

const ECHOED = 4000;

function describeMedia(media: Media[]): string {
  const kinds = [...new Set(media.map((one) => one.kind))];
  return kinds
    .map((kind) => {
      const some = media.filter((one) => one.kind === kind);
      const list = some.map(({ label, size }) => (size === undefined ? label : `${label}, ${size} bytes`));
      return ` I see ${some.length} ${kind}${some.length > 1 ? "s" : ""} (${list.join("; ")}).`;
    })
    .join("");
}

function describeResult(result: ResultPart & { name: string }): string {
  return `${result.name} ${result.failed ? "failed" : "returned"}: ${textOf(result.parts)}`;
}

function plainAnswer(reading: Reading, now: Situation, directives: Directives): string {
  const results = now.results.map(describeResult).join("\n");
  const text = results || `You said: ${[...now.plain].slice(0, ECHOED).join("")}`;
  const system = directives.system ? ` System: ${textOf(reading.system)}` : "";
  return text + describeMedia(now.media) + system;
}

function textFor(reading: Reading, now: Situation, directives: Directives): string {
  if (directives.json !== undefined) return directives.json;
  if (directives.text !== undefined) return directives.text;
  const answer = plainAnswer(reading, now, directives);
  if (reading.format.type === "text") return answer;
  const { schema } = reading.format;
  return JSON.stringify(schema ? sample(schema, { text: now.plain, generous: true }) : { answer });
}

function parts(reading: Reading, now: Situation, directives: Directives): ReplyPart[] {
  const reasons = reading.reasoning || directives.reason || directives.redacted;
  const about = now.results.length > 0 ? `step ${now.step}` : [...now.plain].slice(0, 80).join("");
  const reasoning: ReplyPart[] = reasons
    ? [{ type: "reasoning", text: `Thinking about: ${about}`, redacted: directives.redacted }]
    : [];
  const calls = callsFor(reading, now, directives);
  const text = calls.length > 0 ? (directives.text ?? "") : textFor(reading, now, directives);
  return [...reasoning, ...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
}

/** The replies to a request: one, or as many alternatives as it wants. The same request has the same replies. */
export function answer(reading: Reading, directives: Directives): Reply[] {
  if (directives.refuse) return [{ parts: [], finish: "refusal", refusal: "I cannot help with that." }];
  const all = parts(reading, situationOf(reading), directives);
  return Array.from({ length: reading.alternatives }, (_, index) => {
    const alternative = all.map(
      (part): ReplyPart =>
        index > 0 && part.type === "text" && reading.format.type === "text"
          ? { ...part, text: `${part.text} (${index + 1})` }
          : part,
    );
    return fit(alternative, reading, directives.length);
  });
}
