import type { Media, Reply, ReplyPart, RequestContent, ResultPart } from "../content/request-content.ts";
import { textOf } from "../content/request-content.ts";
import type { Directives } from "../script/directives.ts";
import { callsFor } from "./calls.ts";
import { type ConversationState, conversationStateOf } from "./conversation-state.ts";
import { fit } from "./fit.ts";
import { sample } from "./sample.ts";

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

function plainAnswer(
  content: RequestContent,
  conversation: ConversationState,
  directives: Directives,
): string {
  const results = conversation.results.map(describeResult).join("\n");
  const text = results || `You said: ${[...conversation.plain].slice(0, ECHOED).join("")}`;
  const system = directives.system ? ` System: ${textOf(content.system)}` : "";
  return text + describeMedia(conversation.media) + system;
}

function textFor(content: RequestContent, conversation: ConversationState, directives: Directives): string {
  if (directives.json !== undefined) return directives.json;
  if (directives.text !== undefined) return directives.text;
  const answer = plainAnswer(content, conversation, directives);
  if (content.format.type === "text") return answer;
  const { schema } = content.format;
  return JSON.stringify(schema ? sample(schema, { text: conversation.plain, generous: true }) : { answer });
}

function parts(
  content: RequestContent,
  conversation: ConversationState,
  directives: Directives,
): ReplyPart[] {
  const reasons = content.reasoning || directives.reason || directives.redacted;
  const about =
    conversation.results.length > 0
      ? `step ${conversation.step}`
      : [...conversation.plain].slice(0, 80).join("");
  const reasoning: ReplyPart[] = reasons
    ? [{ type: "reasoning", text: `Thinking about: ${about}`, redacted: directives.redacted }]
    : [];
  const calls = callsFor(content, conversation, directives);
  const text = calls.length > 0 ? (directives.text ?? "") : textFor(content, conversation, directives);
  return [...reasoning, ...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
}

/** The replies to a request, one for each requested alternative. The same request gets the same replies. */
export function answer(content: RequestContent, directives: Directives): Reply[] {
  if (directives.refuse) return [{ parts: [], finish: "refusal", refusal: "I cannot help with that." }];
  const all = parts(content, conversationStateOf(content), directives);
  return Array.from({ length: content.alternatives }, (_, index) => {
    const alternative = all.map(
      (part): ReplyPart =>
        index > 0 && part.type === "text" && content.format.type === "text"
          ? { ...part, text: `${part.text} (${index + 1})` }
          : part,
    );
    return fit(alternative, content, directives.length);
  });
}
