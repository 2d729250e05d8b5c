import { noTrace, type Trace } from "../../../codec/caller-codec.ts";
import { extraFor, extraOf } from "../../../ir/extra.ts";
import type { Lose } from "../../../ir/loss.ts";
import type { Protocol } from "../../../ir/part.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../../json/json.ts";
import {
  nullish,
  number,
  type ObjectNode,
  object,
  oneOf,
  type Schema,
  string,
} from "../../../schema/node.ts";
import type { OperationFacts } from "../../codec.ts";
import type { EmbedInput, EmbedPart, EmbedRequest } from "../ir.ts";

/** The spelling of a part that is not plain text, on a wire of the list family. */
export interface PartSpelling {
  read(part: JsonObject): EmbedPart | undefined;
  write(part: EmbedPart, lose: Lose, path: string): JsonObject | undefined;
  /** True if texts that ask for one vector are sent as one string: most providers take nothing else. */
  joins: boolean;
  /** True if media makes the input a list of contents, each of them: providers take no mixture and no single one. */
  uniform: boolean;
}

/** The request of the wires whose answer is a list, around what each takes as `input` and as encoding of a vector. */
export const listSchema = (input: Schema, encodings: readonly string[]): Schema<unknown, ObjectNode> =>
  object({
    model: string({ min: 1, message: "is required" }),
    input,
    dimensions: nullish(number({ integer: true, min: 1 })),
    encoding_format: nullish(oneOf(...encodings)),
    user: nullish(string()),
  });

export const listFacts: OperationFacts = {
  params: { dimensions: ["/dimensions"] },
  others: ["input", "encoding_format", "user"],
};

/** What differs among the wires of the list family. */
interface ListDialect {
  /** True if texts may come as token ids. */
  tokens: boolean;
  /** The member with the length of the vectors. Default: `dimensions`. */
  dimensions?: string;
  /** `false`: the wire has no member for the caller's own user. */
  user?: boolean;
}

const fields = ["model", "input", "encoding_format", "user"];
const itemFields = new Set(["content"]);

/** Checks whether a value is the token ids of one text; the empty array is an empty list of inputs. */
const isTokens = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "number");

const toContent = (input: Json): Json =>
  typeof input === "string" ? { content: [{ type: "text", text: input }] } : input;

const isPlain = (part: JsonObject): boolean => part.type === "text" && Object.keys(part).length === 2;

export const listRequest = (
  protocol: Protocol,
  spelling: PartSpelling,
  { tokens, dimensions = "dimensions", user: hasUser = true }: ListDialect,
) => {
  const known = new Set([...fields, dimensions]);
  return {
    decode(wire: JsonObject, trace: Trace = noTrace): EmbedRequest {
      const { input } = wire;
      const readInput = (value: Json, pointer: string): EmbedInput => {
        const read = toInput(value, pointer);
        trace(read, pointer);
        return read;
      };
      const toInput = (value: Json, pointer: string): EmbedInput => {
        if (typeof value === "string") return { parts: [{ type: "text", text: value }] };
        if (Array.isArray(value)) return { tokens: value.filter((id) => typeof id === "number") };
        const item = toObject(value);
        const parts = toArray(item.content).flatMap((part, i) => {
          const read = spelling.read(toObject(part)) ?? [];
          trace(read, `${pointer}/content/${i}`);
          return read;
        });
        return { parts, ...extraOf(protocol, item, itemFields) };
      };
      const batch = Array.isArray(input) && !isTokens(input);
      const inputs = batch
        ? input.map((value, i) => readInput(value, `/input/${i}`))
        : input === undefined || input === null
          ? []
          : [readInput(input, "/input")];
      trace(inputs, "/input");
      return compact<EmbedRequest>({
        model: toText(wire.model),
        inputs,
        ...((batch || inputs.length === 0) && { batch: true }),
        dimensions: numberOf(wire[dimensions]),
        ...(wire.encoding_format === "base64" && { encoding: "base64" }),
        user: textOf(wire.user),
        ...extraOf(protocol, wire, known),
      });
    },
    encode(request: EmbedRequest, lose: Lose): JsonObject {
      const inputs = request.inputs.map((input, i): Json => {
        const path = `/inputs/${i}`;
        if ("tokens" in input) {
          if (tokens) return input.tokens;
          lose(path, "unsupported", "the target has no token ids");
          return "";
        }
        const extra = extraFor(protocol, input.extra, lose, path);
        const content = input.parts.flatMap<JsonObject>(
          (part, j) => spelling.write(part, lose, `${path}/parts/${j}`) ?? [],
        );
        const plain = Object.keys(extra).length === 0 && content.every(isPlain);
        if (plain && content.length === 1) return toText(content[0]?.text);
        if (plain && content.length > 1 && spelling.joins) {
          lose(`${path}/parts`, "approximated", "texts are joined by line ends");
          return content.map((part) => part.text).join("\n");
        }
        return { ...extra, content };
      });
      if (request.user !== undefined && !hasUser) lose("/user", "unsupported");
      const uniform = spelling.uniform && inputs.some(isObject);
      const listed = uniform || request.batch || inputs.length !== 1;
      return compact<JsonObject>({
        ...extraFor(protocol, request.extra, lose, ""),
        model: request.model,
        input: listed ? (uniform ? inputs.map(toContent) : inputs) : (inputs[0] as Json),
        ...(request.dimensions !== undefined && { [dimensions]: request.dimensions }),
        // No encoding: vectors are numbers by default, and some servers refuse the word for them.
        ...(request.user !== undefined && hasUser && { user: request.user }),
      });
    },
  };
};
