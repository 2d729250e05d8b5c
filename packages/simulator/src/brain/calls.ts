import type { Reading, ReplyPart, Tool } from "../content/request-content.ts";
import type { Directives } from "../script/directives.ts";
import { sample } from "./sample.ts";
import type { Situation } from "./situation.ts";

type Call = Extract<ReplyPart, { type: "call" }>;

function names(text: string, tool: Tool): boolean {
  const escaped = tool.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}

function callOf(name: string, args: string): Call {
  return { type: "call", name, args, cut: false };
}

/** Arguments are an object, however little the schema says. */
function argumentsFor(tool: Tool, text: string, nth: number): unknown {
  const value = sample({ type: "object", ...tool.schema }, { text, nth });
  return typeof value === "object" && !Array.isArray(value) ? (value ?? {}) : {};
}

/** The calls of tools in the answer, if any; `nth` values said in the text go to the n-th call. */
export function callsFor(reading: Reading, now: Situation, directives: Directives): Call[] {
  if (reading.choice.mode === "none") return [];
  const allowed = reading.tools.filter((tool) => reading.choice.names?.includes(tool.name) ?? true);
  const sampleCall = (tool: Tool | undefined, name: string, nth: number): Call =>
    callOf(name, JSON.stringify(tool ? argumentsFor(tool, now.plain, nth) : {}));
  const atMost = <T>(calls: T[]): T[] => (reading.parallel ? calls : calls.slice(0, 1));

  if (directives.calls.length > 0) {
    const find = (name: string) => reading.tools.find((tool) => tool.name === name);
    return atMost(
      directives.calls.map(({ name, args }, nth) =>
        args === undefined ? sampleCall(find(name), name, nth) : callOf(name, args),
      ),
    );
  }
  if (allowed.length === 0) return [];
  const forced = reading.choice.mode === "any";
  const silent = directives.text !== undefined || directives.json !== undefined;
  const mentioned = now.results.length > 0 || silent ? [] : allowed.filter((tool) => names(now.plain, tool));
  if (mentioned.length === 0 && !forced && directives.count === undefined) return [];
  const tools = mentioned.length > 0 ? mentioned : allowed;
  const several = /\b(both|parallel)\b/i.test(now.plain) ? 2 : 1;
  const count = directives.count ?? Math.max(several, mentioned.length, 1);
  return atMost(
    Array.from({ length: count }, (_, nth) => {
      const tool = tools[nth % tools.length]!;
      return sampleCall(tool, tool.name, nth);
    }),
  );
}
