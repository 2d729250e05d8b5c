import type { Event, Opening } from "./event.ts";
import type { AssistantPart } from "./part.ts";
import type { Choice, Reply } from "./reply.ts";

const whole = (part: Opening): AssistantPart => {
  switch (part.type) {
    case "text":
      return { ...part, text: "" };
    case "reasoning":
      return { ...part, text: "" };
    case "call":
      return { ...part, arguments: "" };
    default:
      return { ...part };
  }
};

/** A reply that grows with its events. */
export class GrowingReply {
  /** The reply so far. */
  readonly reply: Reply = { choices: [] };
  readonly #parts = new Map<number, AssistantPart>();

  /** Adds an event. */
  add(event: Event): void {
    switch (event.type) {
      case "start": {
        const { type: _, ...head } = event;
        Object.assign(this.reply, head);
        break;
      }
      case "open": {
        const part = whole(event.part);
        this.#parts.set(event.index, part);
        this.#choice(event.choice).parts.push(part);
        break;
      }
      case "delta": {
        const part = this.#parts.get(event.index);
        if (part?.type === "text" || part?.type === "reasoning") part.text += event.text;
        else if (part?.type === "call") part.arguments += event.text;
        break;
      }
      case "cite": {
        const part = this.#parts.get(event.index);
        if (part?.type !== "text") break;
        part.citations ??= [];
        part.citations.push(event.citation);
        break;
      }
      case "logprobs": {
        const part = this.#parts.get(event.index);
        if (part?.type !== "text") break;
        part.logprobs ??= [];
        for (const token of event.tokens) part.logprobs.push(token);
        break;
      }
      case "close": {
        const part = this.#parts.get(event.index);
        if (event.seal && (part?.type === "reasoning" || part?.type === "call")) part.seal = event.seal;
        break;
      }
      case "usage":
        this.reply.usage = event.usage;
        break;
      case "finish": {
        const { type: _, choice: index, ...finish } = event;
        this.#choice(index).finish = finish;
        break;
      }
      case "failure":
        this.reply.failure = event.failure;
        break;
      case "opaque":
        break;
    }
  }

  #choice(index = 0): Choice {
    const { choices } = this.reply;
    while (choices.length <= index) choices.push({ parts: [] });
    return choices[index] as Choice;
  }
}

/** The reply that events add up to. Parts are copied before they grow, so folding twice is harmless. */
export function fold(events: Iterable<Event>): Reply {
  const growing = new GrowingReply();
  for (const event of events) growing.add(event);
  return growing.reply;
}

/** The events of a reply that arrived at once. */
export function unfold(reply: Reply): Event[] {
  const { id, model, created } = reply;
  const events: Event[] = [
    {
      type: "start",
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(created !== undefined && { created }),
    },
  ];
  let index = 0;
  reply.choices.forEach((choice, choiceIndex) => {
    const where = choiceIndex === 0 ? {} : { choice: choiceIndex };
    for (const part of choice.parts) {
      events.push({ type: "open", index, ...where, part: opening(part) });
      for (const event of growth(part, index)) events.push(event);
      const seal = part.type === "reasoning" ? part.seal : undefined;
      events.push(seal ? { type: "close", index, seal } : { type: "close", index });
      index += 1;
    }
  });
  reply.choices.forEach((choice, choiceIndex) => {
    if (choice.finish)
      events.push({
        type: "finish",
        ...(choiceIndex === 0 ? {} : { choice: choiceIndex }),
        ...choice.finish,
      });
  });
  if (reply.usage) events.push({ type: "usage", usage: reply.usage });
  if (reply.failure) events.push({ type: "failure", failure: reply.failure });
  return events;
}

function opening(part: AssistantPart): Opening {
  switch (part.type) {
    case "text": {
      const { text: _, citations: _c, logprobs: _l, cache: _m, ...rest } = part;
      return rest;
    }
    case "reasoning": {
      // The seal of reasoning is known when its text is complete; that of a call is known at its start.
      const { text: _, seal: _s, ...rest } = part;
      return rest;
    }
    case "call": {
      const { arguments: _, cache: _m, ...rest } = part;
      return rest;
    }
    default:
      return part;
  }
}

function growth(part: AssistantPart, index: number): Event[] {
  const events: Event[] = [];
  const text =
    part.type === "text" || part.type === "reasoning"
      ? part.text
      : part.type === "call"
        ? part.arguments
        : "";
  if (text !== "") events.push({ type: "delta", index, text });
  if (part.type === "text") {
    for (const citation of part.citations ?? []) events.push({ type: "cite", index, citation });
    if (part.logprobs?.length) events.push({ type: "logprobs", index, tokens: part.logprobs });
  }
  return events;
}
