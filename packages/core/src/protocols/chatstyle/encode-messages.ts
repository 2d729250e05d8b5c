import type { ContentPart, Context } from "../../family/content.ts";
import { extraFor } from "../../ir/extra.ts";
import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  UserMessage,
} from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, toArray, toObject } from "../../json/json.ts";
import { SENTINEL } from "../seal.ts";
import { encodeCall, encodeResult, opaqueCallIn } from "./encode-calls.ts";
import { encodeContent, joinedTexts, shorten } from "./encode-parts.ts";
import { protocol } from "./parts.ts";
import { withRequiredThoughts } from "./required-thoughts.ts";
import { writeDetail } from "./thoughts.ts";

/** The conversation as the wire has it, with what a server may insist on between messages and in them. */
export function encodeMessages(messages: readonly Message[], context: Context): JsonObject[] {
  const { userAfterResults } = context.traits;
  const written: JsonObject[] = [];
  messages.forEach((message, i) => {
    for (const wire of encodeMessage(message, `/messages/${i}`, context)) {
      const follows = written.at(-1)?.role === "tool" && wire.role !== "tool" && wire.role !== "assistant";
      if (follows && userAfterResults === false) {
        context.lose(`/messages/${i}`, "approximated", "a word of the model stands between results and it");
        written.push({ role: "assistant", content: "OK." });
      }
      written.push(wire);
    }
  });
  if (context.traits.callSignatures) signSteps(written);
  return withRequiredThoughts(written, context.traits);
}

/** Gives a placeholder signature to each step's first call since the last user text, where it lacks a real one. */
function signSteps(messages: JsonObject[]): void {
  const spoke = messages.findLastIndex(({ role }) => role === "user");
  for (const { tool_calls: calls } of messages.slice(spoke + 1)) {
    const [first] = toArray(calls).map(toObject);
    if (first && first.extra_content === undefined)
      first.extra_content = { google: { thought_signature: SENTINEL } };
  }
}

/** A message in the wire's own ones: the results of a user message come first, each as a message. */
function encodeMessage(message: Message, path: string, context: Context): JsonObject[] {
  switch (message.role) {
    case "system":
      return [encodeSystem(message, path, context)];
    case "user":
      return encodeUser(message, path, context);
    case "assistant":
      return encodeAssistant(message, path, context);
  }
}

const head = (message: Message, path: string, { lose }: Context): JsonObject => ({
  ...extraFor(protocol, message.extra, lose, path),
  ...(message.name !== undefined && { name: message.name }),
});

const place = <P>(parts: readonly P[], path: string): [part: P, path: string][] =>
  parts.map((part, i) => [part, `${path}/parts/${i}`]);

function encodeSystem(message: SystemMessage, path: string, context: Context): JsonObject {
  const { lose, traits } = context;
  const developer = message.developer && traits.developer !== false;
  if (message.developer && !developer) lose(`${path}/developer`, "approximated", "sent as a system message");
  const content = encodeContent(place<ContentPart>(message.parts, path), context);
  return {
    ...head(message, path, context),
    role: developer ? "developer" : "system",
    // Servers that take system text only at the head often read it as a string.
    content:
      traits.midSystem === false ? joinTexts(content, path, lose) : writeContent(content, path, context),
  };
}

/** The content of a message: several plain texts as one for servers that read it as a string. */
const writeContent = (list: Json[], path: string, { lose, traits }: Context): Json =>
  traits.messageTexts === false ? joinTexts(list, path, lose) : shorten(list);

function joinTexts(list: Json[], path: string, lose: Lose): Json {
  const joined = joinedTexts(list, "\n\n");
  if (joined === undefined) return shorten(list);
  lose(`${path}/parts`, "approximated", "several texts became one");
  return joined;
}

function encodeUser(message: UserMessage, path: string, context: Context): JsonObject[] {
  const messages: JsonObject[] = [];
  const moved: [ContentPart, string][] = [];
  const contentParts: [ContentPart, string][] = [];
  for (const [part, where] of place(message.parts, path)) {
    if (part.type !== "result") {
      contentParts.push([part, where]);
      continue;
    }
    const { message: result, media } = encodeResult(part, where, context);
    messages.push(result);
    for (const one of media) moved.push(one);
  }
  const content = encodeContent([...moved, ...contentParts], context);
  if (content.length > 0 || message.parts.length === 0)
    messages.push({
      ...head(message, path, context),
      role: "user",
      content: writeContent(content, path, context),
    });
  else {
    if (message.name !== undefined) context.lose(`${path}/name`, "unsupported");
    if (message.extra) context.lose(`${path}/extra`, "unsupported");
    if (messages.length === 0) context.lose(path, "unsupported", "nothing is left of the message");
  }
  return messages;
}

/** The order in which the wire writes an assistant message, whatever order its parts had. */
const ranks = { reasoning: 0, text: 1, opaque: 1, media: 2, call: 3 };

function encodeAssistant(message: AssistantMessage, path: string, context: Context): JsonObject[] {
  const { lose, traits } = context;
  const thoughts: [ReasoningPart, string][] = [];
  const contentParts: [TextPart | ContentPart, string][] = [];
  const images: Json[] = [];
  const calls: Json[] = [];
  let rank = 0;
  for (const [part, where] of place(message.parts, path)) {
    const opaqueCall = opaqueCallIn(part);
    const partRank = ranks[opaqueCall === undefined ? part.type : "call"];
    if (partRank < rank && (part.type !== "reasoning" || traits.reasoningBack))
      lose(where, "approximated", "the wire has it before the part that it followed");
    rank = Math.max(rank, partRank);
    if (opaqueCall !== undefined) {
      calls.push(opaqueCall);
      continue;
    }
    switch (part.type) {
      case "reasoning": {
        const isSameProtocol = part.seal?.protocol === protocol;
        if (!traits.reasoningBack || (part.redacted && !isSameProtocol)) {
          lose(where, "unsupported", "the model accepts no earlier reasoning");
          break;
        }
        if (part.seal && !isSameProtocol) lose(`${where}/seal`, "unsupported");
        extraFor(protocol, part.extra, lose, where);
        const { seal, ...unsealed } = part;
        thoughts.push([isSameProtocol ? part : unsealed, where]);
        break;
      }
      case "call":
        calls.push(encodeCall(part, where, context));
        break;
      case "media": {
        const image = part.kind === "image" && traits.extensions?.includes("images");
        const written = image ? encodeContent([[part, where]], context) : [];
        if (!image) lose(where, "unsupported", "the model's own media");
        images.push(...written);
        break;
      }
      default:
        contentParts.push([part, where]);
    }
  }
  const list = encodeContent(contentParts, context);
  const content = list.length === 0 && calls.length > 0 ? null : writeContent(list, path, context);
  if (content === "" && message.parts.length > 0 && thoughts.length + images.length === 0) {
    lose(path, "unsupported", "nothing is left of the message");
    return [];
  }
  return [
    {
      ...head(message, path, context),
      role: "assistant",
      content,
      ...encodeThoughts(thoughts, lose),
      ...(images.length > 0 && { images }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** Writes the model's thoughts: one string, and the list beside it where a seal has to go back with its text. */
function encodeThoughts(thoughts: readonly [ReasoningPart, string][], lose: Lose): JsonObject {
  const text = thoughts.map(([part]) => part.text).join("");
  const plain: JsonObject = text === "" ? {} : { reasoning_content: text };
  if (thoughts.some(([part]) => part.seal)) {
    const details = thoughts.map(([part], i) => writeDetail(part, i));
    return { ...plain, reasoning_details: details as Json };
  }
  if (thoughts.length > 1)
    for (const [, where] of thoughts) lose(where, "approximated", "joined with its neighbours");
  return plain;
}
