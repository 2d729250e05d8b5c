import { writeLogprob } from "../../family/logprobs.ts";
import type { Citation, Event, Opening, Seal, TokenLogprob } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, parseJson, textOf, toObject } from "../../json/json.ts";
import { sealedId } from "../seal.ts";
import { toAnnotation } from "./citations.ts";
import { callItem, imageFormat, runOf, writeSeal } from "./items.ts";
import { wireFieldsOf } from "./parts.ts";
import type {
  Annotation,
  CustomCallItem,
  FunctionCallItem,
  ImageItem,
  Item,
  ItemStatus,
  LogprobWire,
  MessageItem,
  OutputPart,
  ReasoningItem,
  ReplyChunk,
} from "./schema.ts";

type Part<Type extends Opening["type"]> = Extract<Opening, { type: Type }>;
type Unnumbered<C> = C extends unknown ? Omit<C, "sequence_number"> : never;

/** The output to which the writers of parts write. */
export interface Sink {
  id: string;
  lose: Lose;
  emit(chunk: Unnumbered<ReplyChunk>): void;
  /** The place of the next item. */
  next(): number;
  /** Announces an item and returns its place. */
  add(item: Item): number;
  /** Ends an item with the whole of it. */
  done(place: number, item: Item): void;
  /** The namespace of a tool that was offered. */
  namespace(name: string): string | undefined;
}

/** Writes one part as it grows. */
export interface Writer {
  text(delta: string): void;
  cite?(citation: Citation): void;
  tokens?(tokens: TokenLogprob[]): void;
  close(event: Extract<Event, { type: "close" }>): void;
}

/** A message item that parts of text stand in. */
export interface MessageWriter {
  readonly place: number;
  /** Counts the parts that are not closed yet. */
  open(): number;
  part(part: Part<"text">, path: string): Writer;
  /** A part of the wire's own that came whole. */
  raw(part: JsonObject): void;
  end(status: ItemStatus): void;
}

export function writeMessage(sink: Sink, extra: JsonObject, onEmpty: () => void): MessageWriter {
  const id = `msg_${sink.id}_${sink.next()}`;
  const content: OutputPart[] = [];
  let open = 0;
  let ended = false;
  const item = (status: ItemStatus, parts: OutputPart[]): MessageItem => ({
    ...extra,
    type: "message",
    id,
    role: "assistant",
    status,
    content: parts,
  });
  const place = sink.add(item("in_progress", []));
  const begin = (part: OutputPart) => {
    const at = { item_id: id, output_index: place, content_index: content.push(part) - 1 };
    sink.emit({ type: "response.content_part.added", ...at, part });
    return at;
  };
  return {
    place,
    open: () => open,
    part(part, path) {
      open += 1;
      const closed = (): void => {
        open -= 1;
        if (open === 0) onEmpty();
      };
      return part.refusal ? refusal(closed, path) : text(closed, path);
    },
    raw(part) {
      const at = begin(part as unknown as OutputPart);
      sink.emit({ type: "response.content_part.done", ...at, part: part as unknown as OutputPart });
    },
    end(status) {
      if (ended) return;
      ended = true;
      sink.done(place, item(status, content));
    },
  };

  function text(closed: () => void, path: string): Writer {
    const annotations: Annotation[] = [];
    const logprobs: LogprobWire[] = [];
    const at = begin({ type: "output_text", text: "", annotations: [], logprobs: [] });
    let whole = "";
    let cited = 0;
    return {
      text(delta) {
        whole += delta;
        sink.emit({ type: "response.output_text.delta", ...at, delta, logprobs: [] });
      },
      cite(citation) {
        const annotation = toAnnotation(citation, whole.length, sink.lose, `${path}/citations/${cited++}`);
        if (!annotation) return;
        const index = annotations.push(annotation) - 1;
        sink.emit({
          type: "response.output_text.annotation.added",
          ...at,
          annotation_index: index,
          annotation,
        });
      },
      tokens(tokens) {
        const fresh = tokens.map((token) => writeLogprob(token, []));
        // Pushed one by one: a whole reply may have more tokens than a function call takes arguments.
        for (const one of fresh) logprobs.push(one);
        sink.emit({ type: "response.output_text.delta", ...at, delta: "", logprobs: fresh });
      },
      close() {
        const part: OutputPart = { type: "output_text", text: whole, annotations, logprobs };
        content[at.content_index] = part;
        sink.emit({ type: "response.output_text.done", ...at, text: whole, logprobs });
        sink.emit({ type: "response.content_part.done", ...at, part });
        closed();
      },
    };
  }

  function refusal(closed: () => void, path: string): Writer {
    const at = begin({ type: "refusal", refusal: "" });
    let whole = "";
    return {
      text(delta) {
        whole += delta;
        sink.emit({ type: "response.refusal.delta", ...at, delta });
      },
      cite: () => sink.lose(`${path}/citations`, "unsupported"),
      tokens: () => sink.lose(`${path}/logprobs`, "unsupported"),
      close() {
        const part: OutputPart = { type: "refusal", refusal: whole };
        content[at.content_index] = part;
        sink.emit({ type: "response.refusal.done", ...at, refusal: whole });
        sink.emit({ type: "response.content_part.done", ...at, part });
        closed();
      },
    };
  }
}

export function writeReasoning(part: Part<"reasoning">, path: string, sink: Sink): Writer {
  const id = `rs_${sink.id}_${sink.next()}`;
  const item = (status: ItemStatus, text: string, seal?: Seal): ReasoningItem => ({
    type: "reasoning",
    id,
    status,
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(seal && { encrypted_content: writeSeal(seal, part.redacted) }),
  });
  const place = sink.add(item("in_progress", ""));
  const at = { item_id: id, output_index: place, summary_index: 0 };
  let whole = "";
  return {
    text(delta) {
      if (whole === "")
        sink.emit({
          type: "response.reasoning_summary_part.added",
          ...at,
          part: { type: "summary_text", text: "" },
        });
      whole += delta;
      sink.emit({ type: "response.reasoning_summary_text.delta", ...at, delta });
    },
    close({ seal = part.seal }) {
      if (part.redacted && (!seal || seal.protocol === "responses"))
        sink.lose(`${path}/redacted`, "unsupported");
      if (whole !== "") {
        sink.emit({ type: "response.reasoning_summary_text.done", ...at, text: whole });
        sink.emit({
          type: "response.reasoning_summary_part.done",
          ...at,
          part: { type: "summary_text", text: whole },
        });
      }
      sink.done(place, item("completed", whole, seal));
    },
  };
}

export function writeCall(part: Part<"call">, path: string, sink: Sink): Writer {
  const wireFields = wireFieldsOf(part);
  const run = runOf(wireFields.type);
  const free = part.freeform === true;
  const id = `${run ? "call" : free ? "ctc" : "fc"}_${sink.id}_${sink.next()}`;
  const call = { ...part, id: sealedId("responses", part.id, part.seal) };
  const item = (status: ItemStatus, text: string): FunctionCallItem | CustomCallItem =>
    ({
      ...callItem(call, text, wireFields, sink.namespace(part.name)),
      id,
      status,
    }) as unknown as FunctionCallItem | CustomCallItem;
  const started = { ...item("in_progress", ""), ...(free ? { input: "" } : { arguments: "" }) };
  // The action of a client-run call is known when its text is complete.
  const place = run ? -1 : sink.add(started as FunctionCallItem | CustomCallItem);
  const at = { item_id: id, output_index: place };
  let whole = "";
  const deltas = (delta: string): void =>
    sink.emit({
      type: free ? "response.custom_tool_call_input.delta" : "response.function_call_arguments.delta",
      ...at,
      delta,
    });
  return {
    text(delta) {
      whole += delta;
      if (!run) deltas(delta);
    },
    close({ seal }) {
      if (seal) sink.lose(`${path}/seal`, "unsupported", "it came after the call was already sent");
      if (run) {
        const last = item("completed", whole);
        sink.done(sink.add(last), last);
        return;
      }
      // Clients parse the arguments: none at all are an empty object.
      if (!free && whole.trim() === "") deltas("{}");
      // A call that was cut short must not look complete.
      const broken = !free && whole.trim() !== "" && parseJson(whole) === undefined;
      const last = item(broken ? "incomplete" : "completed", whole);
      if (last.type === "function_call")
        sink.emit({
          type: "response.function_call_arguments.done",
          ...at,
          name: last.name,
          arguments: last.arguments,
        });
      else sink.emit({ type: "response.custom_tool_call_input.done", ...at, input: whole });
      sink.done(place, last);
    },
  };
}

/** Media of the model is the work of the wire's image tool, where it is an image. */
export function writeMedia(part: Part<"media">, path: string, sink: Sink): void {
  const { source, kind } = part;
  if (kind !== "image" || source.type !== "base64") {
    sink.lose(path, "unsupported", "media of the model other than image bytes");
    return;
  }
  const format = imageFormat(source.mediaType);
  if (!format) sink.lose(`${path}/source/mediaType`, "unsupported");
  if (part.name !== undefined) sink.lose(`${path}/name`, "unsupported");
  if (part.detail !== undefined) sink.lose(`${path}/detail`, "unsupported");
  const item: ImageItem = {
    ...wireFieldsOf(part),
    type: "image_generation_call",
    id: `ig_${sink.id}_${sink.next()}`,
    status: "in_progress",
    result: null,
    ...(format && { output_format: format }),
  };
  sink.done(sink.add(item), { ...item, status: "completed", result: source.data });
}

/** An item of the wire's own, as it came. */
export function writeOpaque(value: JsonObject, sink: Sink): void {
  const id = textOf(value.id) ?? `item_${sink.id}_${sink.next()}`;
  const item = { ...toObject(value), id } as unknown as Item;
  sink.done(sink.add(item), item);
}
