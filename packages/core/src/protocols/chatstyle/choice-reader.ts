import { toLogprob } from "../../family/logprobs.ts";
import type { Event, Opening, Seal } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { toCitation } from "./decode-citations.ts";
import { decodePart } from "./decode-parts.ts";
import { toFinish } from "./finish.ts";
import { readFragments } from "./fragments.ts";
import { toAudio } from "./generated-media.ts";
import { protocol } from "./parts.ts";
import { readThoughts, type Thought } from "./thoughts.ts";

/** The text that is being written. Text of another kind, or a call, ends it. */
interface Open {
  kind: "text" | "refusal" | "reasoning";
  index: number;
  /** Reasoning: what came so far, and the entry of the list that it came as. */
  text: string;
  entry?: number;
}

/** State that the choices of one reply share. */
export interface Shared {
  /** Counts the parts of the reply. */
  parts: number;
  /** The id of the reply, for calls that have none. */
  id: string;
}

/** Reads the deltas of one choice, or its whole message. */
export function readChoice(choiceIndex: number, shared: Shared, emit: (event: Event) => void) {
  const where = choiceIndex === 0 ? {} : { choice: choiceIndex };
  let open: Open | undefined;
  /** The text that the last delta continued, if others may continue it alike. */
  let written: Open | undefined;
  let audio: JsonObject | undefined;
  let refused = false;
  let seen = 0;
  /** The choice as it said why it ends. Some servers say it before the last pieces, and some say it twice. */
  let ending: JsonObject | undefined;
  let finished = false;

  const start = (part: Opening): number => {
    const index = shared.parts++;
    seen += 1;
    emit({ type: "open", index, ...where, part });
    return index;
  };
  const close = (index: number, seal?: Seal): void =>
    emit(seal ? { type: "close", index, seal } : { type: "close", index });
  const whole = (part: Opening, seal?: Seal): void => close(start(part), seal);
  const settle = (): void => {
    if (open) close(open.index);
    open = undefined;
  };
  const write = (kind: Open["kind"], text: string): Open => {
    if (open?.kind !== kind) {
      settle();
      const part = kind === "reasoning" ? { type: kind } : kind === "refusal" ? REFUSAL : TEXT;
      open = { kind, index: start(part), text: "" };
    }
    if (text !== "") emit({ type: "delta", index: open.index, text });
    written = open;
    return open;
  };

  const calls = readFragments(
    (part) => {
      settle();
      return start(part);
    },
    () => (choiceIndex === 0 ? `call_${shared.id}` : `call_${shared.id}_${choiceIndex}`),
    emit,
  );

  const think = (thought: Thought): void => {
    const { text, seal, redacted, index, plain } = thought;
    const current = open?.kind === "reasoning" ? open : undefined;
    if (redacted) {
      settle();
      whole({ type: "reasoning", redacted }, seal);
      return;
    }
    if (!text && !seal) return;
    // A list whose one entry repeats the text of the string ends that text and adds only the seal.
    const streamed = current?.entry === undefined;
    const repeated = !plain && current !== undefined && streamed && text === current.text && text !== "";
    const isSeparate =
      index !== undefined && (streamed ? text !== undefined && !repeated : current?.entry !== index);
    if (isSeparate) settle();
    const part = write("reasoning", repeated ? "" : (text ?? ""));
    part.text += repeated ? "" : (text ?? "");
    if (index !== undefined && !repeated) part.entry = index;
    if (!seal && !repeated) return;
    close(part.index, seal);
    open = undefined;
  };

  const content = (value: Json | undefined): void => {
    if (typeof value === "string") {
      if (value !== "") write("text", value);
      return;
    }
    for (const json of toArray(value)) {
      const wire = toObject(json);
      if (wire.type === "thinking") {
        const inner = toArray(wire.thinking).map((piece) => toText(toObject(piece).text));
        think({ text: toText(wire.thinking) || inner.join("") });
        continue;
      }
      const part = decodePart(json);
      if (part?.type === "text") write(part.refusal ? "refusal" : "text", part.text);
      else if (part) {
        settle();
        whole(part);
      }
    }
  };

  const cite = (json: Json): void => {
    if (open?.kind === "text") emit({ type: "cite", index: open.index, citation: toCitation(json) });
    else emit({ type: "opaque", protocol, value: json });
  };

  const addAudio = (value: Json | undefined): void => {
    if (!isObject(value)) return;
    const data = toText(audio?.data) + toText(value.data);
    const transcript = toText(audio?.transcript) + toText(value.transcript);
    audio = { ...audio, ...value, data, ...(transcript !== "" && { transcript }) };
  };

  const logprobs = (value: Json | undefined): void => {
    for (const kind of ["content", "refusal"] as const) {
      const tokens = toArray(toObject(value)[kind]).map(toLogprob);
      if (tokens.length > 0 && open?.kind === (kind === "content" ? "text" : "refusal"))
        emit({ type: "logprobs", index: open.index, tokens });
    }
  };

  const closeAll = (): void => {
    settle();
    calls.end();
    if (audio && toText(audio.data) !== "") whole(toAudio(audio));
  };

  return {
    step(choice: JsonObject): void {
      written = undefined;
      if (finished) return;
      const delta = toObject(choice.delta ?? choice.message);
      for (const thought of readThoughts(delta)) think(thought);
      content(delta.content);
      const refusal = toText(delta.refusal);
      if (refusal !== "") {
        refused = true;
        write("refusal", refusal);
      }
      logprobs(choice.logprobs);
      for (const annotation of toArray(delta.annotations)) cite(annotation);
      for (const image of toArray(delta.images)) content([image]);
      addAudio(delta.audio);
      toArray(delta.tool_calls).forEach(calls.step);
      toArray(delta.content_list)
        .filter((item) => toObject(item).type === "tool_use")
        .forEach(calls.step);
      if (isObject(delta.function_call)) calls.step({ index: LEGACY, function: delta.function_call }, 0);
      if (textOf(choice.finish_reason)) ending = choice;
    },
    /** The delta of a chunk that differs from the last one by its words alone. */
    words(text: string): (Event & { type: "delta" }) | undefined {
      if (!written || finished) return undefined;
      if (written.kind === "reasoning") written.text += text;
      return { type: "delta", index: written.index, text };
    },
    /** Closes every part and says why, once nothing more can come. */
    finish(): void {
      if (finished) return;
      finished = true;
      closeAll();
      const facts = { called: calls.any(), refused, empty: seen === 0 };
      emit({ type: "finish", ...where, ...toFinish(textOf(ending?.finish_reason), facts, ending) });
    },
    hasEnded: () => finished || ending !== undefined,
    isCut: () => ending === undefined && calls.isCut(),
  };
}

const TEXT = { type: "text" } as const;
const REFUSAL = { type: "text", refusal: true } as const;
/** The place of the one call that the older form has. */
const LEGACY = -1;
