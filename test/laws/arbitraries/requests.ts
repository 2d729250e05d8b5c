import type { TextRequest } from "@manifold-gateway/core";
import type { Message, Tool, ToolChoice } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { extra, maybe, sparse } from "./common.ts";
import { firstUser, identify, step, system, tellApart, tools, user } from "./content.ts";
import { params } from "./params.ts";

const reasoning = sparse<NonNullable<TextRequest["reasoning"]>>({
  mode: maybe(fc.constantFrom("off", "auto", "on")),
  effort: maybe(fc.constantFrom("minimal", "low", "medium", "high", "xhigh", "max")),
  budget: maybe(fc.constantFrom(1024, 8192, 20_000)),
  show: maybe(fc.constantFrom("none", "auto", "concise", "detailed")),
}).filter((ask) => Object.keys(ask).length > 0 && !(ask.mode === "off" && (ask.effort || ask.budget)));

const format = fc.constantFrom<NonNullable<TextRequest["format"]>>(
  { type: "text" },
  { type: "json" },
  {
    type: "schema",
    schema: {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    },
    name: "answer",
    strict: true,
  },
  { type: "schema", schema: { type: "object", properties: { a: { type: "integer", minimum: 0 } } } },
);

const toolChoice = (list: Tool[]): fc.Arbitrary<ToolChoice | undefined> => {
  const known = list.flatMap((each) => (each.type === "function" ? [each.name] : []));
  const modes = fc.constantFrom("auto" as const, "required" as const, "none" as const);
  const plain = sparse<ToolChoice>({ mode: modes, parallel: maybe(fc.boolean()) });
  if (known.length === 0) return maybe(plain);
  const narrowed = sparse<ToolChoice>({
    mode: fc.constantFrom("auto" as const, "required" as const),
    names: fc.subarray(known, { minLength: 1 }),
  });
  return maybe(fc.oneof(plain, narrowed));
};

/** Requests as they come from any client. */
export const request: fc.Arbitrary<TextRequest> = fc
  .record({
    opening: fc.array(system, { maxLength: 2 }),
    first: firstUser,
    steps: fc.array(step, { maxLength: 3 }),
    between: maybe(system),
    last: maybe(user),
    tools: maybe(tools),
  })
  .chain(({ opening, first, steps, between, last, tools: list }) => {
    const messages: Message[] = [...opening, first, ...identify(steps)];
    if (between && last) messages.push(between);
    if (last) messages.push(last);
    return sparse<TextRequest>({
      model: fc.constant("some-model"),
      stream: fc.boolean(),
      messages: fc.constant(tellApart(messages)),
      tools: fc.constant(list),
      toolChoice: list ? toolChoice(list) : fc.constant(undefined),
      reasoning: maybe(reasoning),
      format: maybe(format),
      params,
      extra: maybe(extra),
    });
  });
