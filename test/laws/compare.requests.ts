import type { Loss, Protocol, TextRequest } from "@manifold-gateway/core";
import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import type { Format, Message, Part, Tool } from "@manifold-gateway/core/ir";
import { differences, token } from "./compare.ts";
import { type Comparison, compareFacts, type Fact, fieldsIn, fieldsOf, sorted, teller } from "./facts.ts";

/** What the messages say, in order. `developer` is `system`, and neighbours of one role may be joined. */
function saidIn(messages: readonly Message[], to: Protocol): Fact[] {
  const tell = teller(to);
  return messages.flatMap((message, i) =>
    (message.parts as Part[]).flatMap((part, j) => tell(part, `/messages/${i}/parts/${j}`, message.role)),
  );
}

/** What is said of whole messages, by what it is. */
function saidOf(messages: readonly Message[]): Fact[] {
  const facts = messages.flatMap((message, i): Fact[] => {
    const path = `/messages/${i}`;
    const { role, name, extra } = message;
    const fields = extra ? fieldsIn(extra) : [];
    return [
      ...(name === undefined ? [] : [{ path: `${path}/name`, role, kind: "name", value: { name } }]),
      ...fields.map(([field, value]): Fact => {
        const kind = `${extra?.protocol} ${field}`;
        return { path: `${path}/extra/${token(field)}`, role, kind, value: { value } };
      }),
    ];
  });
  return facts.sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}

/** Functions, then what only vendors know. No schema is that of an object of which nothing is known, and strictness that is off is none. */
const toolsIn = (tools: readonly Tool[] = []): Fact[] =>
  tools.map(toolFact).sort((a, b) => Number(a.kind === "opaque") - Number(b.kind === "opaque"));

/** A schema without members that say nothing: null, the name of its draft, names that are required twice. */
function meaning(schema: Json): Json {
  const spoken = (value: Json, named = false): Json => {
    if (Array.isArray(value)) return value.map((inner) => spoken(inner));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) =>
        (inner === null || key === "$schema") && !named
          ? []
          : [
              [
                key,
                key === "required" && Array.isArray(inner)
                  ? [...new Set(inner)]
                  : spoken(inner, key === "properties"),
              ],
            ],
      ),
    );
  };
  if (!isObject(schema)) return schema;
  const { type = "object", properties = {}, ...rest } = spoken(schema) as JsonObject;
  return { ...rest, properties, type };
}

function toolFact(tool: Tool, i: number): Fact {
  const path = `/tools/${i}`;
  if (tool.type === "opaque")
    return { path, role: "tool", kind: "opaque", value: { protocol: tool.protocol, value: tool.value } };
  const { schema, strict, type: _, ...rest } = tool;
  const value = {
    ...rest,
    ...fieldsOf(tool.extra),
    schema: meaning(schema ?? {}),
    ...(strict && { strict }),
  };
  return { path, role: "tool", kind: tool.name, value };
}

const formatOf = (format: Format): Format =>
  format.type === "schema" ? { ...format, schema: meaning(format.schema) } : format;

/** The wires' words for the usual tier, as one. */
const tierOf = (tier: string): string => (["standard", "standard_only"].includes(tier) ? "default" : tier);

/** Checks whether thoughts are hidden from the caller of a request of which this arrived, without a word for it. */
const isHidden = ({ reasoning }: TextRequest, to: Protocol): boolean =>
  to === "responses" || (to !== "chatstyle" && (reasoning === undefined || reasoning.mode === "off"));

/**
 * The request beside its messages and tools. A choice of `auto`, parallel calls, plain text and hidden thoughts are
 * what nobody has to say, and among no tools there is no choice.
 */
function settings(request: TextRequest, choosing: boolean, hidden: boolean): Record<string, unknown> {
  const { tools: _, toolChoice, messages: _m, extra, format, params, reasoning, ...rest } = request;
  const { mode, parallel, names } = toolChoice ?? {};
  const choice = {
    ...(mode && mode !== "auto" && { mode }),
    ...(names && { names }),
    ...(parallel === false && { parallel }),
  };
  const { show, ...amount } = reasoning ?? {};
  const asked = { ...amount, ...(show !== undefined && !(hidden && show === "none") && { show }) };
  const { serviceTier: tier } = params;
  return {
    ...rest,
    params: { ...params, ...(tier !== undefined && { serviceTier: tierOf(tier) }) },
    ...fieldsOf(extra),
    ...(Object.keys(asked).length > 0 && { reasoning: asked }),
    ...(choosing && Object.keys(choice).length > 0 && { toolChoice: choice }),
    ...(format && format.type !== "text" && { format: formatOf(format) }),
  };
}

/** What arrived of a request that was written in the protocol `to`, beside what the writer gave up. */
export function compareRequests(
  sent: TextRequest,
  arrived: TextRequest,
  to: Protocol,
  losses: readonly Loss[],
): Comparison {
  const hidden = isHidden(arrived, to);
  const choosing = [sent, arrived].every(({ tools = [] }) => tools.length > 0);
  const all = [
    compareFacts(saidIn(sent.messages, to), saidIn(arrived.messages, to), losses),
    compareFacts(saidOf(sent.messages), saidOf(arrived.messages), losses),
    compareFacts(toolsIn(sent.tools), toolsIn(arrived.tools), losses),
    sorted(differences(settings(sent, choosing, hidden), settings(arrived, choosing, hidden))),
  ];
  return { missing: all.flatMap(({ missing }) => missing), added: all.flatMap(({ added }) => added) };
}
