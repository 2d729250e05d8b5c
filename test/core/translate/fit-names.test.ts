import { collectLosses } from "@manifold-gateway/core";
import { type JsonObject, run } from "@manifold-gateway/core/codec";
import { type Event, fold, type Part, type Tool, unfold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Spelling } from "../../../packages/core/src/codec/provider-codec.ts";
import { fitNames as fitFor, type Target } from "../../../packages/core/src/translate/fit-names.ts";
import { asked } from "./text-request.ts";

const narrow: Spelling = { pattern: /^[A-Za-z0-9_-]+$/, max: 24 };
const lettered: Spelling = { pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, max: 128 };
const target = fc.record({
  names: fc.constantFrom(narrow, lettered),
  ids: fc.constant(narrow),
  freeform: fc.boolean(),
});

const name = fc.oneof(
  fc.constantFrom(
    "a.b",
    "a_b",
    "a:b",
    "1st",
    "-x",
    "",
    "x".repeat(24),
    "x".repeat(25),
    `${"x".repeat(24)}y`,
    "é",
  ),
  fc.string({ maxLength: 40 }),
);
/** Names that a first spelling could have taken already. */
const crowd = fc.uniqueArray(name, { minLength: 1, maxLength: 12 }).map((names) => {
  const { request } = fitFor(
    asked([], { tools: names.map(tool) }),
    {
      names: narrow,
      ids: narrow,
      freeform: true,
    },
    () => {},
  );
  return [
    ...new Set([
      ...names,
      ...(request.tools ?? []).map((each) => (each.type === "function" ? each.name : "")),
    ]),
  ];
});
const tool = (each: string): Tool => ({ type: "function", name: each });
const fits = (spelling: Spelling, each: string): boolean =>
  each.length <= spelling.max && spelling.pattern.test(each);
const lose = (): void => {};

const restored = (restore: () => ReturnType<ReturnType<typeof fitFor>["restore"]>, events: Event[]) =>
  run(restore(), events);
const open = (each: string, index = 0): Event => ({
  type: "open",
  index,
  part: { type: "call", id: "1", name: each },
});

test("every name is one that the target can spell, no two alike, and the reply gives each its own back", () => {
  fc.assert(
    fc.property(crowd, target, (names, to) => {
      const { request, restore } = fitFor(asked([], { tools: names.map(tool) }), to, lose);
      const spelled = (request.tools ?? []).map((each) => (each.type === "function" ? each.name : ""));
      for (const each of spelled) expect(fits(to.names, each)).toBe(true);
      expect(new Set(spelled).size).toBe(names.length);
      const back = restored(
        restore,
        spelled.map((each, index) => open(each, index)),
      );
      expect(
        back.map((event) => event.type === "open" && event.part.type === "call" && event.part.name),
      ).toEqual(names);
    }),
    { numRuns: 500 },
  );
});

test("a name that the target can spell stays", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z_][a-z0-9_-]{0,20}$/), { maxLength: 8 }),
      target,
      (names, to) => {
        const { request } = fitFor(asked([], { tools: names.map(tool) }), to, lose);
        expect(request.tools).toEqual(names.map(tool));
      },
    ),
  );
});

test("tools, choice, calls and results agree on a name and on an id", () => {
  fc.assert(
    fc.property(name, name, target, (wanted, id, to) => {
      const call: Part = { type: "call", id, name: wanted, arguments: "{}" };
      const result: Part = { type: "result", id, name: wanted, parts: [] };
      const { request } = fitFor(
        asked(
          [
            { role: "assistant", parts: [call] },
            { role: "user", parts: [result] },
          ],
          {
            tools: [tool(wanted)],
            toolChoice: { mode: "required", names: [wanted] },
          },
        ),
        to,
        lose,
      );
      const spelled = request.tools?.[0]?.type === "function" ? request.tools[0].name : "";
      const made = request.messages[0]?.parts[0] as Extract<Part, { type: "call" }>;
      const given = request.messages[1]?.parts[0] as Extract<Part, { type: "result" }>;
      expect([made.name, given.name, request.toolChoice?.names]).toEqual([spelled, spelled, [spelled]]);
      expect(made.id).toBe(given.id);
      expect(fits(to.ids, made.id)).toBe(true);
    }),
  );
});

test("the given request is not changed", () => {
  fc.assert(
    fc.property(name, target, (wanted, to) => {
      const request = asked(
        [
          {
            role: "assistant",
            parts: [{ type: "call", id: wanted, name: wanted, arguments: "x", freeform: true }],
          },
        ],
        {
          tools: [{ type: "function", name: wanted, freeform: { format: "text" } }],
        },
      );
      const before = structuredClone(request);
      fitFor(request, to, lose);
      expect(request).toEqual(before);
    }),
  );
});

const plain: Target = { names: narrow, ids: narrow, freeform: false };

test("a free-text tool is a function of one string where the target has none, and its call comes back as text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), name, fc.nat(), (words, wanted, cut) => {
      const { losses, lose: tell } = collectLosses();
      const { request, restore } = fitFor(
        asked(
          [
            {
              role: "assistant",
              parts: [{ type: "call", id: "0", name: wanted, arguments: words, freeform: true }],
            },
          ],
          {
            tools: [{ type: "function", name: wanted, freeform: { format: { type: "grammar" } } }],
          },
        ),
        plain,
        tell,
      );
      expect(losses).toEqual([{ path: "/tools/0/freeform/format", why: "unsupported" }]);
      expect(request.tools?.[0]).toMatchObject({ schema: { required: ["input"] } });
      expect(request.tools?.[0]).not.toHaveProperty("freeform");
      const made = request.messages[0]?.parts[0] as Extract<Part, { type: "call" }>;
      expect(made).not.toHaveProperty("freeform");
      // The model calls it as history shows, its arguments cut anywhere.
      const at = cut % (made.arguments.length + 1);
      const events: Event[] = [
        open(made.name),
        { type: "delta", index: 0, text: made.arguments.slice(0, at) },
        { type: "delta", index: 0, text: made.arguments.slice(at) },
        { type: "close", index: 0 },
      ];
      expect(fold(restored(restore, events)).choices[0]?.parts).toEqual([
        { type: "call", id: "1", name: wanted, arguments: words, freeform: true },
      ]);
    }),
  );
});

test("a free-text call that was cut shows its text, and no name of ours", () => {
  const words = 'one "two"\n\u00e9 three\\';
  const { restore } = fitFor(
    asked([], { tools: [{ type: "function", name: "free", freeform: {} }] }),
    plain,
    lose,
  );
  for (const written of [JSON.stringify({ input: words }), JSON.stringify({ input: words }, null, 2)])
    for (let length = 1; length < written.length; length++) {
      const events: Event[] = [
        open("free"),
        { type: "delta", index: 0, text: written.slice(0, length) },
        { type: "close", index: 0 },
      ];
      const [call] = fold(restored(restore, events)).choices[0]?.parts ?? [];
      expect(words.startsWith((call as { arguments: string }).arguments), written.slice(0, length)).toBe(
        true,
      );
    }
});

test("each of several simultaneous calls keeps its own text", () => {
  const { restore } = fitFor(
    asked([], { tools: [{ type: "function", name: "free", freeform: {} }, tool("plain")] }),
    plain,
    lose,
  );
  const events: Event[] = [
    open("free", 0),
    open("plain", 1),
    { type: "delta", index: 0, text: '{"inp' },
    { type: "delta", index: 1, text: '{"a"' },
    { type: "delta", index: 0, text: 'ut":"x"}' },
    { type: "delta", index: 1, text: ":1}" },
    { type: "close", index: 1 },
    { type: "close", index: 0 },
  ];
  expect(fold(restored(restore, events)).choices[0]?.parts).toMatchObject([
    { name: "free", arguments: "x", freeform: true },
    { name: "plain", arguments: '{"a":1}' },
  ]);
});

test("arguments that are not the one string come back as the model wrote them", () => {
  const { restore } = fitFor(
    asked([], { tools: [{ type: "function", name: "free", freeform: {} }] }),
    plain,
    lose,
  );
  const broken = `{"input":"a"${" ".repeat(1_000_000)}b`;
  for (const written of ["ls -l", '{"command":"ls","cwd":"/"}', '{"input":1}', "", broken]) {
    const reply = unfold({
      choices: [{ parts: [{ type: "call", id: "1", name: "free", arguments: written }] }],
    });
    expect(fold(restored(restore, reply)).choices[0]?.parts).toMatchObject([
      { arguments: written, freeform: true },
    ]);
  }
});

test.each([
  ["a function of the declared member", '{"input":"*** Begin"}', "*** Begin"],
  ["a function of another member", '{"patch":"*** Begin"}', "*** Begin"],
  ["a function whose arguments were cut", '{"patch":"*** Beg', "*** Beg"],
  ["a function with the bare text", "*** Begin", "*** Begin"],
])("a server that answers a free-text tool with %s gives the caller the text", (_, written, words) => {
  const { restore, restores } = fitFor(
    asked([], { tools: [{ type: "function", name: "free", freeform: {} }] }),
    { ...plain, freeform: true },
    lose,
  );
  expect(restores).toBe(true);
  const answer = (freeform: boolean) =>
    unfold({
      choices: [
        {
          parts: [
            { type: "call", id: "1", name: "free", arguments: written, ...(freeform && { freeform: true }) },
          ],
        },
      ],
    });
  const partsOf = (freeform: boolean) => fold(restored(restore, answer(freeform))).choices[0]?.parts;
  expect(partsOf(false)).toMatchObject([{ arguments: words, freeform: true }]);
  expect(partsOf(true)).toMatchObject([{ arguments: written, freeform: true }]);
});

test("a target that takes free text gets it as it is", () => {
  const request = asked(
    [
      { role: "assistant", parts: [{ type: "call", id: "1", name: "free", arguments: "x", freeform: true }] },
      { role: "user", parts: [{ type: "result", id: "1", parts: [], freeform: true }] },
    ],
    { tools: [{ type: "function", name: "free", freeform: { format: "f" } }] },
  );
  expect(fitFor(request, { ...plain, freeform: true }, lose).request).toEqual(request);
});

test.each<JsonObject>([
  { type: "grammar", syntax: "lark", definition: "start: /.+/" },
  { type: "grammar", grammar: { syntax: "lark", definition: "start: /.+/" } },
])("the grammar of free text is described where it is a function: %o", (format) => {
  const tools: Tool[] = [{ type: "function", name: "patch", description: "d", freeform: { format } }];
  const { losses, lose } = collectLosses();
  const { request } = fitFor(asked([], { tools }), plain, lose);
  expect(request.tools).toEqual([
    {
      type: "function",
      name: "patch",
      description: "d",
      schema: {
        type: "object",
        properties: { input: { type: "string", description: "Text of this grammar (lark):\nstart: /.+/" } },
        required: ["input"],
      },
    },
  ]);
  expect(losses).toMatchObject([{ path: "/tools/0/freeform/format", why: "approximated" }]);
  expect(fitFor(asked([], { tools }), { ...plain, freeform: true }, lose).request.tools).toEqual(tools);
});

test("a call gets another id where the conversation or the reply has one with the same", () => {
  const call = (id: string, args: string) => ({ type: "call" as const, id, name: "f", arguments: args });
  const past = asked([
    { role: "assistant", parts: [call("f:0", "{}")] },
    { role: "user", parts: [{ type: "result", id: "f:0", parts: [] }] },
  ]);
  const { restore } = fitFor(past, { names: narrow, ids: narrow, freeform: true }, lose);
  const parts = [call("f:0", '{"x":1}'), call("f:1", "{}"), call("f:0", '{"x":2}')];
  const replied = () => fold(restored(restore, [...unfold({ choices: [{ parts }] })])).choices[0];
  const renamed = [call("f:0_2", '{"x":1}'), call("f:1", "{}"), call("f:0_3", '{"x":2}')];
  expect(replied()?.parts).toEqual(renamed);
  expect(replied()?.parts).toEqual(renamed);
});

test.each([
  ["click", "mcp__browser__click"],
  ["browser__click", "mcp__browser__click"],
  ["patch", "mcp__git.v2__patch"],
  ["read", "read"],
  ["wait", "wait"],
  ["lick", "lick"],
  ["", ""],
])("a call of %j is one of the tool %j", (called, name) => {
  const names = ["mcp__browser__click", "mcp__git.v2__patch", "mcp__fs__read", "read", "a__wait", "b__wait"];
  const to = { names: narrow, ids: narrow, freeform: false };
  const tools = names.map((one) => tool(one));
  const { restore } = fitFor(asked([], { tools }), to, () => {});
  const parts = [{ type: "call" as const, id: "c1", name: called, arguments: "{}" }];
  expect(fold(restored(restore, unfold({ choices: [{ parts }] }))).choices[0]?.parts).toMatchObject([
    { name },
  ]);
});
