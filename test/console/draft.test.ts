import { readChunk, readFrames, type TextRequest, writeChunk } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOf, CODECS, restore } from "../../packages/console/web/src/codecs/calls.ts";
import { draftOf, readDraft } from "../../packages/console/web/src/codecs/read-draft.ts";
import { createReplyReader } from "../../packages/console/web/src/codecs/reply-reader.ts";
import { WIRE_NAMES, type WireName } from "../../packages/console/web/src/codecs/wires.ts";
import { type Draft, emptyDraft, panesOf, userSays } from "../../packages/console/web/src/play/draft.ts";
import {
  changeSystem,
  continueWith,
  systemText,
  toSend,
} from "../../packages/console/web/src/play/messages.ts";
import { advance, startedRun } from "../../packages/console/web/src/play/runs.ts";
import { fromFragment, toFragment } from "../../packages/console/web/src/play/share.ts";
import { paramText, paramValue } from "../../packages/console/web/src/play/text-params.ts";
import { toolsFromJson, toolsToJson } from "../../packages/console/web/src/play/tools.ts";
import { variablesOf, withValues } from "../../packages/console/web/src/play/variables.ts";
import { request as anyRequest } from "../laws/arbitraries/requests.ts";
import { bodies, generous, of, requests, streams } from "../laws/fixtures.ts";

/** A request as a client of the protocol writes it. */
const toWire = (request: TextRequest, name: WireName): object =>
  JSON.parse(JSON.stringify(CODECS[name].request.encode(request, () => {}, generous))) as object;

/** The only pane of a draft, as its body is sent. */
function sentBy({ draft }: { draft: Draft }): unknown {
  const [pane] = panesOf(draft);
  const request = { ...withValues(toSend(draft.request), draft.values), model: pane!.model };
  return JSON.parse(bodyOf(request, pane!.protocol, pane!.body).text);
}

const restored = (body: object, name: WireName, path = { model: "m", stream: true }): { draft: Draft } => {
  const result = restore(body, name, path);
  if ("fault" in result) throw new Error(result.fault);
  return result;
};

describe.each(WIRE_NAMES)("a request of %s that is opened in the playground", (name) => {
  it("is sent again as it was, also by a link, and is the same request", async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const body = toWire(request, name);
        const opened = restored(body, name, request);
        expect(sentBy(opened)).toEqual(body);
        const text = await fromFragment((await toFragment(opened.draft)) ?? "");
        const linked = readDraft(text ?? "");
        expect(linked).toEqual(opened.draft);
        expect(sentBy({ draft: linked! })).toEqual(body);
      }),
      { numRuns: 60 },
    );
  });

  it("is sent as any client wrote it", () => {
    for (const { value } of of(requests, CODECS[name])) expect(sentBy(restored(value, name))).toEqual(value);
  });
});

describe("a draft", () => {
  it("follows a body that was typed if it says the same, and names what differs otherwise", () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(...WIRE_NAMES), (request, name) => {
        const plain = { ...request, stream: true };
        const { text } = bodyOf(plain, name, undefined);
        expect(bodyOf(plain, name, `\n${text}`)).toMatchObject({ differs: [] });
        const longer = { ...plain, messages: [...plain.messages, userSays("And now?")] };
        expect(bodyOf(longer, name, text).differs).toEqual(["messages"]);
        expect(bodyOf(plain, name, text.slice(1)).fault).toMatch(/no JSON/);
      }),
      { numRuns: 40 },
    );
  });

  it("leaves texts alone whose variables have no value, and fills those that have one", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("{{a}}", "{{b-1}}", "{{", "}}", "{{c d}}", "x")), (pieces) => {
        const text = pieces.join("");
        const request: TextRequest = {
          ...emptyDraft.request,
          messages: [{ role: "user", parts: [{ type: "text", text }] }],
        };
        expect(withValues(request, { other: "value", a: "" })).toEqual(request);
        const values = Object.fromEntries(variablesOf(request).map((name) => [name, `<${name}>`]));
        const filled = withValues(request, values);
        expect(variablesOf(filled)).toEqual([]);
        expect(filled.messages).toEqual([
          { role: "user", parts: [{ type: "text", text: text.replaceAll(/\{\{([\w-]+)\}\}/g, "<$1>") }] },
        ]);
      }),
    );
  });

  it("goes on from a reply with all parts of it, and with an answer to each call", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { role, parts } of request.messages) {
          if (role !== "assistant") continue;
          const { messages } = continueWith(parts)(request);
          expect(messages.slice(0, -2)).toEqual(request.messages);
          expect(messages.at(-2)).toEqual({ role, parts });
          const calls = parts.flatMap((part) => (part.type === "call" ? [part.id] : []));
          const answers = messages.at(-1)!.parts.flatMap((part) => (part.type === "result" ? [part.id] : []));
          expect(answers).toEqual(calls);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("keeps all else when its system text changes, and nothing of the text when it is emptied", () => {
    fc.assert(
      fc.property(anyRequest, fc.string({ minLength: 1 }), (request, text) => {
        const changed = changeSystem(text)(request);
        expect(systemText(changed)).toBe(text);
        expect(changeSystem(systemText(request))(changed)).toEqual(request);
      }),
      { numRuns: 60 },
    );
  });

  it("has tools and parameters that are the same after their texts were read, line breaks and backslashes included", () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom("\\", "n", "\n", "a"), minLength: 1 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(anyRequest, lines, ({ tools, params }, stop) => {
        if (tools) expect(toolsFromJson(toolsToJson(tools))).toEqual(tools);
        const all = { ...params, stop };
        for (const name of Object.keys(all) as (keyof typeof all)[])
          expect([name, paramValue(name, paramText(all, name))]).toEqual([name, all[name]]);
      }),
      { numRuns: 60 },
    );
    expect(() => toolsFromJson([{ name: "a" }, { function: { name: "a" } }])).toThrow(
      'Two tools are called "a"',
    );
    expect(() => toolsFromJson([{ description: "?" }])).toThrow('Tool 1 has no "name".');
  });

  it("is read from whatever a link holds, or not at all", () => {
    const draft = fc.record({
      request: anyRequest,
      models: fc.constant(emptyDraft.models),
      values: fc.object(),
    });
    const broken = fc.oneof(
      fc.anything(),
      draft,
      fc
        .tuple(draft, fc.string(), fc.anything())
        .map(([value, name, member]) => ({ ...value, [name]: member })),
    );
    fc.assert(
      fc.property(broken, (value) => {
        const read = draftOf(value);
        if (!read) return;
        for (const pane of panesOf(read))
          expect(() => bodyOf(toSend(read.request), pane.protocol, undefined)).not.toThrow();
      }),
    );
    expect(readDraft("{")).toBeUndefined();
  });
});

describe.each(WIRE_NAMES)("an answer of %s", (name) => {
  const codec = CODECS[name];
  const whole = (chunks: unknown[]) => fold(run(codec.reply.decode(), chunks as never[]));
  const read = (feed: (reader: ReturnType<typeof createReplyReader>) => void) => {
    const reader = createReplyReader(name, () => 1);
    feed(reader);
    reader.end();
    return reader;
  };

  it("is what its bytes add up to, however they are cut and whenever they are looked at", () => {
    const all = of(streams, codec);
    expect(all.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 4 }),
        (fixture, cuts) => {
          const bytes = new TextEncoder().encode(
            fixture.value.map((chunk) => writeChunk(chunk, codec)).join(""),
          );
          let answer = startedRun;
          const reader = createReplyReader(name, () => 1);
          const look = (): void => {
            const progress = reader.take();
            if (progress) answer = advance(answer, { type: "progress", id: 1, progress });
          };
          for (let at = 0, n = 0; at < bytes.length; n++) {
            const next = at + 1 + cuts[n % cuts.length]!;
            reader.step(bytes.slice(at, next));
            look();
            at = next;
          }
          reader.end();
          look();
          const frames = run(readFrames(), [bytes]);
          const { choices, usage, failure } = whole(frames.map(readChunk));
          expect(answer.parts.map(({ part }) => part)).toEqual(choices.flatMap(({ parts }) => parts));
          expect(answer.parts.every(({ choice }) => choice < choices.length)).toBe(true);
          expect([answer.usage, answer.fault]).toEqual([usage, failure?.message]);
          expect(answer.eventCount).toBe(frames.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is read from a body as from a stream", () => {
    for (const { value } of of(bodies, codec)) {
      const { choices, usage } = whole(codec.reply.burst(value));
      const progress = read((reader) => reader.body(JSON.stringify(value))).take();
      expect(progress?.parts.map(({ part }) => part)).toEqual(choices.flatMap(({ parts }) => parts));
      expect(progress?.usage).toEqual(usage);
    }
  });
});
