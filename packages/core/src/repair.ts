import type {
  AssistantMessage,
  CallPart,
  Message,
  ResultPart,
  TextRequest,
  UserMessage,
  UserPart,
} from "./ir/index.ts";
import type { Lose } from "./loss.ts";

/**
 * The request with calls and results in pairs, as every upstream demands: each step's results follow it at once,
 * in one user message, one for each call. A result without its call becomes user text, of several results for
 * one call the last one counts, and a call that nobody answered gets a failed result that says so.
 */
export function repair(request: TextRequest, lose: Lose): TextRequest {
  if (
    !request.messages.some((message) =>
      message.parts.some((part) => part.type === "call" || part.type === "result"),
    )
  )
    return request;
  const messages: Message[] = [];
  let step: Step | undefined;
  const settle = (): void => {
    if (!step) return;
    const { calls, results, at, behind } = step;
    step = undefined;
    const parts = calls.map((call) => results.get(call.id) ?? unanswered(call, lose, at));
    messages.push({ role: "user", parts }, ...behind);
  };
  request.messages.forEach((message, at) => {
    if (message.role === "assistant") {
      const calls = message.parts.filter((part) => part.type === "call");
      // Neighbouring turns of the model are one step, unless the calls of the first were already answered.
      if (step && step.results.size === 0 && step.behind.length === 0) {
        messages[messages.length - 1] = join(messages.at(-1) as AssistantMessage, message);
        step.calls.push(...calls);
        return;
      }
      settle();
      messages.push(message);
      if (calls.length > 0) step = { calls: [...calls], results: new Map(), at, behind: [] };
      return;
    }
    if (message.role === "system") {
      // Between a call and its results there is no place for anything else.
      if (step && !complete(step)) step.behind.push(message);
      else {
        settle();
        messages.push(message);
      }
      return;
    }
    const rest: UserPart[] = [];
    message.parts.forEach((part, which) => {
      if (part.type !== "result") rest.push(part);
      else if (step?.calls.some((call) => call.id === part.id)) {
        if (step.results.has(part.id))
          lose(
            `/messages/${at}/parts/${which}`,
            "unsupported",
            "a call has one result; the last one is kept",
          );
        step.results.set(part.id, part);
      } else {
        lose(
          `/messages/${at}/parts/${which}`,
          "approximated",
          `no call has the id ${part.id}; its result became user text`,
        );
        rest.push(...orphan(part));
      }
    });
    if (step && rest.length === 0 && !complete(step)) return;
    settle();
    if (rest.length > 0) messages.push({ ...message, parts: rest } as UserMessage);
  });
  settle();
  return { ...request, messages };
}

interface Step {
  calls: CallPart[];
  results: Map<string, ResultPart>;
  at: number;
  /** System messages that stood between the calls and their results. */
  behind: Message[];
}

const complete = (step: Step): boolean => step.calls.every((call) => step.results.has(call.id));

const join = (first: AssistantMessage, second: AssistantMessage): AssistantMessage => ({
  ...first,
  parts: [...first.parts, ...second.parts],
});

function unanswered(call: CallPart, lose: Lose, at: number): ResultPart {
  lose(
    `/messages/${at}`,
    "approximated",
    `the call ${call.id} of ${call.name} has no result; a failed one stands in`,
  );
  return {
    type: "result",
    id: call.id,
    name: call.name,
    parts: [{ type: "text", text: "No result." }],
    failed: true,
  };
}

/** What is left of a result without its call. */
const orphan = (result: ResultPart): UserPart[] => {
  const parts: UserPart[] = result.parts.filter((part) => part.type !== "text" || part.text !== "");
  return parts.length > 0 ? parts : [{ type: "text", text: "(empty tool result)" }];
};
