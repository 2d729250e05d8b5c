import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import type { Machine } from "../codec/machine.ts";
import { type Failure, statusOfKind } from "../ir/failure.ts";
import type { Event, FinishReason } from "../ir/index.ts";

/** Reasons that are the model's or the provider's fault. */
const faults: ReadonlySet<FinishReason> = new Set(["malformed_tool_call", "other"]);

/**
 * Makes a failure of a reply that has no content and ends by a fault, such as a call that could not be read, if the
 * caller's protocol has no word for that: agents take an empty answer for the end of their task, and repeat a request
 * that fails. `restore` is the machine that the events pass before.
 */
export function failSilentEnds(
  from: AnyProvider,
  to: AnyCaller,
  restore: Machine<Event, Event> | undefined,
): Machine<Event, Event> | undefined {
  if (from.protocol === to.protocol || to.reply.tellsFaults) return restore;
  const thoughts = new Set<number>();
  let hasContent = false;
  let isFailed = false;

  const read = (event: Event): Event[] => {
    if (event.type === "open") {
      if (event.part.type === "reasoning") thoughts.add(event.index);
      else hasContent = event.part.type !== "text";
    } else if (event.type === "delta") hasContent = event.text !== "" && !thoughts.has(event.index);
    else if (event.type === "finish" && faults.has(event.reason)) {
      isFailed = true;
      return [{ type: "failure", failure: failureOf(event) }];
    }
    return [event];
  };
  const failing = (events: Event[]): Event[] =>
    hasContent ? events : events.flatMap((event) => (isFailed ? [] : hasContent ? [event] : read(event)));

  return {
    step: (event) => failing(restore ? restore.step(event) : [event]),
    end: () => failing(restore ? restore.end() : []),
  };
}

function failureOf({ reason, raw = reason, note }: Extract<Event, { type: "finish" }>): Failure {
  const message = `The model ended its reply with ${raw} and no content${note ? `: ${note}` : "."}`;
  return { kind: "unavailable", status: statusOfKind.unavailable, code: raw, message };
}
