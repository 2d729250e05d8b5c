import type { ReplyPart, RequestContent, Tool } from "../content/request-content.ts";
import type { Directives } from "../script/directives.ts";
import type { ConversationState } from "./conversation-state.ts";
import { sample } from "./sample.ts";

type Call = Extract<ReplyPart, { type: "call" }>;

function names(text: string, tool: Tool): boolean {
  const escaped = tool.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}

function callOf(name: string, args: string): Call {
  return { type: "call", name, args, cut: false };
}

/** The arguments: always an object, even if the schema does not say so. */
function argumentsFor(tool: Tool, text: string, nth: number): unknown {
  const value = sample({ type: "object", ...tool.schema }, { text, nth });
  return typeof value === "object" && !Array.isArray(value) ? (value ?? {}) : {};
}

/** The tool calls of the answer. Of several values that the text gives a name, the n-th call gets the n-th. */
export function callsFor(
  content: RequestContent,
  conversation: ConversationState,
  directives: Directives,
): Call[] {
  if (content.choice.mode === "none") return [];
  const allowed = content.tools.filter((tool) => content.choice.names?.includes(tool.name) ?? true);
  const sampleCall = (tool: Tool | undefined, name: string, nth: number): Call =>
    callOf(name, JSON.stringify(tool ? argumentsFor(tool, conversation.plain, nth) : {}));
  const atMost = <T>(calls: T[]): T[] => (content.parallel ? calls : calls.slice(0, 1));

  if (directives.calls.length > 0) {
    const find = (name: string) => content.tools.find((tool) => tool.name === name);
    return atMost(
      directives.calls.map(({ name, args }, nth) =>
        args === undefined ? sampleCall(find(name), name, nth) : callOf(name, args),
      ),
    );
  }
  if (allowed.length === 0) return [];
  const forced = content.choice.mode === "any";
  const silent = directives.text !== undefined || directives.json !== undefined;
  const mentioned =
    conversation.results.length > 0 || silent
      ? []
      : allowed.filter((tool) => names(conversation.plain, tool));
  if (mentioned.length === 0 && !forced && directives.count === undefined) return [];
  const tools = mentioned.length > 0 ? mentioned : allowed;
  const several = /\b(both|parallel)\b/i.test(conversation.plain) ? 2 : 1;
  const count = directives.count ?? Math.max(several, mentioned.length, 1);
  return atMost(
    Array.from({ length: count }, (_, nth) => {
      const tool = tools[nth % tools.length]!;
      return sampleCall(tool, tool.name, nth);
    }),
  );
}
