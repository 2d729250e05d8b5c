import { mediaKinds, paramFacts, protocolNames } from "@manifold-gateway/core/ir";
import {
  any,
  array,
  boolean,
  number,
  type ObjectNode,
  object,
  oneOf,
  optional,
  record,
  recordOf,
  type Schema,
  string,
  validator,
  variant,
} from "@manifold-gateway/core/schema";
import { type Draft, MOST_MODELS, MOST_PANES } from "../play/draft.ts";
import { WIRE_NAMES } from "./wires.ts";

// A draft comes from links and from the storage of the browser, where it may be that of an older page.

const protocol = oneOf(...protocolNames);
const extra = optional(object({ protocol, fields: record() }));
const typed = object({ type: string(), extra });
const closed = { closed: true } as const;

const source = variant(
  typed,
  "type",
  {
    base64: object({ mediaType: string(), data: string() }),
    url: object({ url: string() }),
    file: object({ protocol, id: string() }),
  },
  closed,
);
const simple = {
  text: object({ text: string() }),
  media: object({ kind: oneOf(...mediaKinds), source }),
  opaque: object({ protocol, value: any() }),
};
const part = variant(
  typed,
  "type",
  {
    ...simple,
    reasoning: object({ text: string() }),
    call: object({ id: string(), name: string(), arguments: string() }),
    result: object({ id: string(), parts: array(variant(typed, "type", simple, closed)) }),
  },
  closed,
);

const KINDS = {
  number: number(),
  boolean: boolean(),
  text: string(),
  texts: array(string()),
  weights: recordOf(number()),
  labels: recordOf(string()),
};
const params = object(
  Object.fromEntries(
    Object.entries(paramFacts).map(([name, { kind }]) => [name, optional<unknown>(KINDS[kind])]),
  ),
);

const request = object({
  stream: boolean(),
  messages: array(object({ role: oneOf("system", "user", "assistant"), parts: array(part), extra })),
  tools: optional(
    array(
      variant(
        typed,
        "type",
        {
          function: object({ name: string(), description: optional(string()), strict: optional(boolean()) }),
          opaque: object({ protocol, value: any() }),
        },
        closed,
      ),
    ),
  ),
  toolChoice: optional(object({ mode: optional(string()), names: optional(array(string())) })),
  reasoning: optional(object({ effort: optional(string()), budget: optional(number()) })),
  format: optional(
    variant(typed, "type", { text: object({}), json: object({}), schema: object({ schema: any() }) }, closed),
  ),
  params,
  extra,
});

const schema = validator(
  object({
    request,
    models: array(
      object({ model: string(), protocols: array(oneOf(...WIRE_NAMES)), bodies: recordOf(string()) }),
    ),
    values: recordOf(string()),
  }) as Schema<Draft, ObjectNode>,
);

/** The draft that a value is; nothing where it is none. */
export function draftOf(value: unknown): Draft | undefined {
  const read = schema.safeParse(value);
  if (!read.success) return undefined;
  const { request: draftRequest, models, values } = read.data;
  let room = MOST_PANES;
  const kept = models.slice(0, MOST_MODELS).map((one, at) => {
    const protocols = [...new Set(one.protocols)].slice(0, room);
    room -= protocols.length;
    return { ...one, id: at + 1, protocols };
  });
  return kept.length === 0 ? undefined : { request: { ...draftRequest, model: "" }, models: kept, values };
}

/** The draft that a JSON text is; nothing where it is none. */
export function readDraft(text: string): Draft | undefined {
  try {
    return draftOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
