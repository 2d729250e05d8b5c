import { codecs, translateRequest } from "@manifold-gateway/core";
import { isObject, type Json, type JsonObject, toArray } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const traits = { promptCache: 1024 } as const;
const words = (seed: string, characters: number): string =>
  `${seed} `.repeat(characters).slice(0, characters);
const tool = (i: number, size: number): JsonObject => ({
  type: "function",
  function: {
    name: `tool_${i}`,
    description: words(`tool ${i}`, size),
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
});
const tools = Array.from({ length: 12 }, (_, i) => tool(i, 800));
const system = { role: "system", content: words("You write code.", 12_000) };

/** The requests of a coding agent: each repeats all before it, and adds a call with its result. */
function conversation(
  turns: number,
  { calls = 1, more = {} }: { calls?: number; more?: JsonObject } = {},
): JsonObject[] {
  const messages: JsonObject[] = [system, { role: "user", content: words("Mend the test.", 400) }];
  return Array.from({ length: turns }, (_, turn) => {
    const request = { model: "m", messages: [...messages], tools, ...more };
    const ids = Array.from({ length: calls }, (_, call) => `call_${turn}_${call}`);
    const toCall = (id: string) => ({
      id,
      type: "function",
      function: { name: "tool_1", arguments: JSON.stringify({ path: `src/${id}.ts` }) },
    });
    messages.push({ role: "assistant", content: words("I look.", 200), tool_calls: ids.map(toCall) });
    for (const id of ids)
      messages.push({ role: "tool", tool_call_id: id, content: words(`line of ${id}`, 3_000) });
    return request;
  });
}

const encode = (request: JsonObject, given: object = traits) =>
  translateRequest(request, { from: codecs.chatstyle, to: codecs.msgstyle, traits: given });

/** A text alone is short for one block. */
const blocks = (content: Json | undefined): JsonObject[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (toArray(content) as JsonObject[]);

/** The tools and blocks of a request in the order in which they are cached. */
const blocksOf = ({ tools, system, messages }: JsonObject): JsonObject[] => [
  ...(toArray(tools) as JsonObject[]),
  ...blocks(system),
  ...toArray(messages).flatMap((message) => blocks((message as JsonObject).content)),
];

const without = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(without);
  if (!isObject(json)) return json;
  const { cache_control: _, ...others } = json;
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, without(value as Json)]));
};
const plainBlocks = (wire: JsonObject): Json => without(blocksOf(wire));

const marksIn = (wire: JsonObject): number =>
  blocksOf(wire).filter(({ cache_control: mark }) => mark !== undefined).length;

interface Bill {
  plain: number;
  read: number;
  written: number;
}

/**
 * What a vendor counts for a conversation: prefixes are written at marks, and read where one was written at a mark or
 * in the twenty blocks before it. A token has four characters.
 */
function billOf(wires: readonly JsonObject[], least = 1024): Bill {
  const written = new Set<string>();
  const bill = { plain: 0, read: 0, written: 0 };
  for (const wire of wires) {
    const blocks = blocksOf(wire);
    const prefixes: { key: string; tokens: number }[] = [];
    let key = "";
    let tokens = 0;
    for (const block of blocks) {
      const text = JSON.stringify(without(block));
      key += text;
      tokens += text.length / 4;
      prefixes.push({ key, tokens });
    }
    const marked = blocks.flatMap(({ cache_control: mark }, i) => (mark === undefined ? [] : [i]));
    const found = marked
      .flatMap((at) => prefixes.slice(Math.max(0, at - 20), at + 1))
      .filter((prefix) => written.has(prefix.key))
      .map((prefix) => prefix.tokens);
    const read = Math.max(0, ...found);
    const points = marked.map((at) => prefixes[at]!).filter((prefix) => prefix.tokens >= least);
    const upTo = Math.max(read, ...points.map((prefix) => prefix.tokens));
    for (const prefix of points) written.add(prefix.key);
    bill.read += read;
    bill.written += upTo - read;
    bill.plain += tokens - upTo;
  }
  return bill;
}

/** By the vendor's prices, as a part of the price of input: writing 1.25, reading 0.1. */
const costOf = ({ plain, read, written }: Bill): number => plain + 1.25 * written + 0.1 * read;

describe("an agent of twenty turns", () => {
  it.each([1, 12, 30])("its input costs less than a quarter with marks: %i calls in a turn", (calls) => {
    const requests = conversation(20, { calls });
    const before = billOf(requests.map((request) => encode(request, {}).wire));
    const after = billOf(requests.map((request) => encode(request).wire));
    expect(before).toMatchObject({ read: 0, written: 0 });
    expect(costOf(after) / costOf(before)).toBeLessThan(0.25);
    // Nothing is written twice: what was new in a turn is read in the next.
    const last = blocksOf(encode(requests.at(-1) as JsonObject).wire);
    expect(after.written).toBeLessThanOrEqual(JSON.stringify(without(last)).length / 4);
  });

  it("its figures are those that the change was made for", () => {
    const requests = conversation(20);
    const of = (given: object) =>
      Math.round(costOf(billOf(requests.map((request) => encode(request, given).wire))));
    expect({ before: of({}), after: of(traits) }).toEqual({ before: 276_836, after: 52_815 });
  });
});

describe("marks for the prompt cache", () => {
  it("they stand at the tools, the system text and the last two turns of the user", () => {
    const { wire, losses } = encode(conversation(3)[2] as JsonObject);
    const places = blocksOf(wire).flatMap(({ cache_control: mark, type, name, tool_use_id }) =>
      mark ? [[mark, name ?? tool_use_id ?? type]] : [],
    );
    const mark = { type: "ephemeral" };
    expect(places).toEqual([
      [mark, "tool_11"],
      [mark, "text"],
      [mark, "call_0_0"],
      [mark, "call_1_0"],
    ]);
    expect(losses).toEqual(encode(conversation(3)[2] as JsonObject, {}).losses);
  });

  it("they change nothing else, and are at most four", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom(1, 500, 1024, 4096, 100_000),
        (turns, calls, promptCache) => {
          for (const request of conversation(turns, { calls })) {
            const plain = encode(request, {});
            const marked = encode(request, { promptCache });
            expect(marksIn(marked.wire)).toBeLessThanOrEqual(4);
            expect(plainBlocks(marked.wire)).toEqual(plainBlocks(plain.wire));
            expect(marked.losses).toEqual(plain.losses);
          }
        },
      ),
    );
  });

  const short = [{ role: "user", content: "Hello" }];
  const long = [{ role: "user", content: words("A document.", 20_000) }];
  it.each<[string, JsonObject, object]>([
    ["without the trait", conversation(3)[2] as JsonObject, {}],
    ["where it is switched off", conversation(3)[2] as JsonObject, { promptCache: false }],
    ["in a prompt that is too short", { messages: short, tools: [tool(1, 10)] }, traits],
    ["in a question without tools, which nothing may follow", { messages: long }, traits],
  ])("there are none %s", (_, request, given) => {
    expect(marksIn(encode({ model: "m", ...request }, given).wire)).toBe(0);
  });

  it("a conversation without tools has them from its second turn on", () => {
    const said = { role: "assistant", content: "A summary." };
    const { wire } = encode({ model: "m", messages: [...long, said, ...short] });
    expect(marksIn(wire)).toBe(2);
  });

  it("the caller's own marks win, wherever they stand", () => {
    const own = { type: "text", text: "Look here.", cache_control: { type: "ephemeral" } };
    const request = conversation(1)[0] as JsonObject;
    const messages = [...(request.messages as JsonObject[]), { role: "user", content: [own] }];
    const { wire } = encode({ ...request, messages });
    expect(marksIn(wire)).toBe(1);
  });

  it("the caller's own marks reach a model of the converse wire that is known to cache", () => {
    const mark = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const request = {
      model: "m",
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", ...mark }] },
        { role: "user", content: "Hello" },
      ],
    };
    const systemFor = (given: object) =>
      translateRequest(request, { from: codecs.chatstyle, to: codecs.conversestyle, traits: given }).wire
        .system;
    const marked = [{ text: "Be brief." }, { cachePoint: { type: "default", ttl: "1h" } }];
    expect(systemFor(traits)).toEqual(marked);
    expect(systemFor({})).toEqual([{ text: "Be brief." }]);
    expect(systemFor({ ...traits, cacheMarks: false })).toEqual([{ text: "Be brief." }]);
    expect(systemFor({ cacheMarks: true })).toEqual(marked);
  });

  it("an end of a turn without text has none", () => {
    const request = conversation(1)[0] as JsonObject;
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    for (const content of [[image, { type: "text", text: "" }], "", [image]]) {
      const { wire } = encode({
        ...request,
        messages: [...(request.messages as JsonObject[]), { role: "user", content }],
      });
      for (const { type, text, cache_control: mark } of blocksOf(wire))
        if (mark) expect(type === "text" ? text : "a block").not.toBe("");
    }
  });

  it("a target without marks gets none", () => {
    for (const to of [codecs.chatstyle, codecs.responses, codecs.genstyle])
      expect(
        JSON.stringify(
          translateRequest(conversation(2)[1] as JsonObject, { from: codecs.chatstyle, to, traits }).wire,
        ),
      ).not.toContain("cache_control");
  });
});
