import type { JsonObject } from "../../content/request-content.ts";
import { pieces } from "../../model/pieces.ts";
import type { Chunk, Exchange } from "../protocol.ts";
import type { OutputItem } from "./items.ts";
import type { Body } from "./schema.ts";
import { responseObject, settle } from "./write.ts";

type Draft = JsonObject & { type: string };

const CONTENT = /\.delta$/;

/** The parts of a message: opened, written, closed. */
function messageEvents(item: OutputItem, at: JsonObject): Draft[] {
  const part = (item.content as JsonObject[])[0]!;
  const where = { ...at, content_index: 0 };
  const added = (initial: JsonObject): Draft => ({
    type: "response.content_part.added",
    ...where,
    part: initial,
  });
  const done: Draft = { type: "response.content_part.done", ...where, part };
  if (part.type === "refusal") {
    const text = String(part.refusal);
    return [
      added({ ...part, refusal: "" }),
      ...pieces(text).map((delta) => ({ type: "response.refusal.delta", ...where, delta })),
      { type: "response.refusal.done", ...where, refusal: text },
      done,
    ];
  }
  const { text, logprobs } = part as { text: string; logprobs: JsonObject[] };
  return [
    added({ ...part, text: "", logprobs: [] }),
    ...pieces(text).map((delta, index) => ({
      type: "response.output_text.delta",
      ...where,
      delta,
      logprobs: logprobs.slice(index, index + 1),
    })),
    { type: "response.output_text.done", ...where, text, logprobs },
    done,
  ];
}

function reasoningEvents(item: OutputItem, at: JsonObject): Draft[] {
  return (item.summary as { text: string }[]).flatMap((part, index) => {
    const where = { ...at, summary_index: index };
    return [
      { type: "response.reasoning_summary_part.added", ...where, part: { ...part, text: "" } },
      ...pieces(part.text).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        ...where,
        delta,
      })),
      { type: "response.reasoning_summary_text.done", ...where, text: part.text },
      { type: "response.reasoning_summary_part.done", ...where, part },
    ];
  });
}

const TEXT_FIELD: Record<string, [field: string, event: string]> = {
  function_call: ["arguments", "response.function_call_arguments"],
  custom_tool_call: ["input", "response.custom_tool_call_input"],
};

function callEvents(item: OutputItem, at: JsonObject): Draft[] {
  const [field, event] = TEXT_FIELD[item.type]!;
  const text = String(item[field]);
  const name = item.type === "function_call" ? { name: item.name } : {};
  return [
    ...pieces(text).map((delta) => ({ type: `${event}.delta`, ...at, delta })),
    { type: `${event}.done`, ...at, [field]: text, ...name },
  ];
}

function skeleton(item: OutputItem): JsonObject {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "reasoning") return { ...item, summary: [] };
  return { ...item, status: "in_progress", [TEXT_FIELD[item.type]![0]]: "" };
}

function itemEvents(item: OutputItem, index: number): Draft[] {
  const at = { item_id: item.id, output_index: index };
  const events =
    item.type === "message" ? messageEvents : item.type === "reasoning" ? reasoningEvents : callEvents;
  return [
    { type: "response.output_item.added", output_index: index, item: skeleton(item) },
    ...events(item, at),
    { type: "response.output_item.done", output_index: index, item },
  ];
}

/** created · in_progress · every item opened, written and closed · the whole response again. */
export function stream(exchange: Exchange<Body>): Chunk[] {
  const output = settle(exchange);
  const begun = responseObject(exchange);
  const ended = responseObject(exchange, output);
  const drafts: Draft[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap(itemEvents),
    { type: `response.${String(ended.status)}`, response: ended },
  ];
  return drafts.map((draft, sequence) => ({
    event: draft.type,
    data: { ...draft, sequence_number: sequence },
    ...(CONTENT.test(draft.type) ? { part: "content" as const } : {}),
    ...(sequence === drafts.length - 1 ? { part: "done" as const } : {}),
  }));
}
