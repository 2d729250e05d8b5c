import { isObject, type JsonObject } from "../engine/json-columns.ts";
import { metadataOf, type RecordOptions } from "./record-options.ts";

/**
 * The name of a generation's reply among the contents. The space keeps it apart from ids of generations, which have
 * none.
 */
export const replyName = (generation: string): string => `${generation} reply`;

/** The stored form of a reply that is too long even without its texts. */
const NOTHING = JSON.stringify({ choices: [], truncated: true });
/** The least length in characters to which texts are cut. */
const SHORTEST = 16;

/** The kept part of a reply, as JSON text. `text` is its canonical form: `{"choices":[{"parts":[…],"finish":{…}}]}`. */
export function keptOfReply(
  text: string,
  { replies, replyBytes }: Pick<RecordOptions, "replies" | "replyBytes">,
): string | undefined {
  if (replies === "none") return undefined;
  if (replies === "full" && Buffer.byteLength(text) <= replyBytes) return text;
  const reply = JSON.parse(text) as JsonObject;
  return replies === "full" ? cutTo(replyBytes, reply) : JSON.stringify(withoutTexts(reply));
}

/** A reply whose longest texts are cut until it fits into `bytes`. */
function cutTo(bytes: number, reply: JsonObject): string {
  for (let most = bytes; most >= SHORTEST; most = Math.floor(most / 2)) {
    const text = JSON.stringify({ ...(shortened(reply, most) as JsonObject), truncated: true });
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return NOTHING;
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === "string") return value.length > most ? value.slice(0, most) : value;
  if (Array.isArray(value)) return value.map((one) => shortened(one, most));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, most)]));
}

/** The kinds and sizes of a reply's parts, and why it ended. */
function withoutTexts({ choices, ...rest }: JsonObject): JsonObject {
  const listed = Array.isArray(choices) ? choices.filter(isObject) : [];
  return {
    ...rest,
    choices: listed.map(({ parts, finish }) => ({
      parts: (Array.isArray(parts) ? parts : []).map((part) => metadataOf(part, "type")),
      ...(isObject(finish) && { finish: metadataOf(finish, "reason") }),
    })),
  };
}
