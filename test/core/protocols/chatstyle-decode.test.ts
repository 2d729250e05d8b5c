import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DONE } from "../../../packages/core/src/codec/codec-base.ts";
import { run } from "../../../packages/core/src/codec/machine.ts";
import type { Json, JsonObject } from "../../../packages/core/src/json/json.ts";
import { chatstyle } from "../../../packages/core/src/protocols/chatstyle/index.ts";
import { observeBody } from "../../../packages/core/src/stream/observe-body.ts";
import { chunksOf, delta, parts, reply } from "./chatstyle-kit.ts";

describe("chatstyle replies from upstreams", () => {
  const fragment = (fields: JsonObject) => delta({ tool_calls: [fields] });
  const fn = (name?: string, args?: string | null) => ({
    function: {
      ...(name !== undefined && { name }),
      ...(args !== undefined && { arguments: args }),
    } as JsonObject,
  });
  const calls = (...list: [name: string, args: string][]) =>
    list.map(([name, args]) => expect.objectContaining({ type: "call", name, arguments: args }));

  it.each<[string, Json[], [string, string][]]>([
    ["begin at 1", [fragment({ index: 1, id: "a", ...fn("f", "{}") })], [["f", "{}"]]],
    [
      "have no index",
      [fragment({ id: "a", ...fn("f", '{"x"') }), fragment(fn(undefined, ":1}"))],
      [["f", '{"x":1}']],
    ],
    [
      "have no index and two ids",
      [fragment({ id: "a", ...fn("f", "{}") }), fragment({ id: "b", ...fn("g", "{}") })],
      [
        ["f", "{}"],
        ["g", "{}"],
      ],
    ],
    [
      "use one index for two ids",
      [
        fragment({ index: 0, id: "a", ...fn("f", '{"x":1}') }),
        fragment({ index: 0, id: "b", ...fn("g", "{}") }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", "{}"],
      ],
    ],
    [
      "have a new id in each fragment",
      [
        fragment({ index: 0, id: "a", ...fn("f", "") }),
        fragment({ index: 0, id: "b", ...fn(undefined, '{"x"') }),
        fragment({ index: 0, id: "c", ...fn("", ":1}") }),
        fragment({ index: 0, id: "d", ...fn("f", "{}") }),
      ],
      [
        ["f", '{"x":1}'],
        ["f", "{}"],
      ],
    ],
    [
      "have a new id in each fragment and no index",
      [
        fragment({ id: "a", ...fn("f", '{"x"') }),
        fragment({ id: "b", ...fn(undefined, ":1}") }),
        fragment({ id: "c", ...fn("g", "{}") }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", "{}"],
      ],
    ],
    [
      "use one index for two ids, and the next one for the rest",
      [
        fragment({ index: 0, id: "a", ...fn("f", '{"x":1}') }),
        fragment({ index: 0, id: "b", ...fn("g", "") }),
        fragment({ index: 1, ...fn(undefined, '{"y":2}') }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", '{"y":2}'],
      ],
    ],
    [
      "end at another index",
      [
        fragment({ index: 0, id: "a", ...fn("f", '{"x":1') }),
        fragment({ index: 1, ...fn(undefined, "}") }),
        fragment({ index: 1, id: "b", ...fn("g", "{}") }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", "{}"],
      ],
    ],
    [
      "repeat id and name",
      [fragment({ index: 0, id: "a", ...fn("f", "{") }), fragment({ index: 0, id: "a", ...fn("f", "}") })],
      [["f", "{}"]],
    ],
    [
      "empty id and name later",
      [fragment({ index: 0, id: "a", ...fn("f", "{") }), fragment({ index: 0, id: "", ...fn("", "}") })],
      [["f", "{}"]],
    ],
    [
      "have their members at the top",
      [fragment({ id: "a", name: "f", arguments: '{"x":' }), fragment({ id: "a", arguments: "1}" })],
      [["f", '{"x":1}']],
    ],
    [
      "stand whole in a list of contents",
      [
        delta({
          content_list: [
            { type: "text", text: "I look." },
            { type: "tool_use", tool_use: { tool_use_id: "a", name: "f", input: { x: 1 } } },
            { type: "tool_use", tool_use: { tool_use_id: "b", name: "g", input: {} } },
          ],
        }),
      ],
      [
        ["f", '{"x":1}'],
        ["g", "{}"],
      ],
    ],
    [
      "come in pieces in a list of contents",
      [
        delta({ content_list: [{ type: "tool_use", tool_use_id: "a", name: "f" }] }),
        delta({ content_list: [{ type: "tool_use", input: '{"x":' }] }),
        delta({ content_list: [{ type: "tool_use", input: "1}" }] }),
      ],
      [["f", '{"x":1}']],
    ],
    ["bring null", [fragment({ index: 0, id: "a", ...fn("f", null) })], [["f", "{}"]]],
    [
      "bring the name late",
      [fragment({ index: 0, id: "a", ...fn() }), fragment({ index: 0, ...fn("f", '{"a":1}') })],
      [["f", '{"a":1}']],
    ],
    [
      "come whole with an object",
      [fragment({ id: "a", function: { name: "f", arguments: { a: 1 } } })],
      [["f", '{"a":1}']],
    ],
    [
      "come together without ids",
      [delta({ tool_calls: [fn("f", '{"a":1}'), fn("f", '{"a":2}')] })],
      [
        ["f", '{"a":1}'],
        ["f", '{"a":2}'],
      ],
    ],
  ])("calls are read that %s", (_, chunks, expected) => {
    const read = reply([...chunks, delta({}, "stop")]);
    expect(read.choices[0]?.parts).toEqual(calls(...expected));
    expect(read.choices[0]?.finish).toEqual({ reason: "tool_calls", raw: "stop" });
    const ids = read.choices[0]?.parts.map((part) => part.type === "call" && part.id);
    expect(new Set(ids).size).toBe(expected.length);
    expect(ids).not.toContain("");
  });

  it.each<[string, (at: number) => JsonObject]>([
    ["a new index", (at) => ({ index: at, ...fn(undefined, "0, ") })],
    ["the name again", () => fn("f", "0, ")],
  ])("arguments in very many pieces with %s are not read anew for each", (_, more) => {
    const pieces = Array.from({ length: 1_000 }, (_, at) => fragment(more(at + 1)));
    const parse = vi.spyOn(JSON, "parse");
    const read = parts([fragment({ id: "a", ...fn("f", "[") }), ...pieces, delta({}, "stop")]);
    const total = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    parse.mockRestore();
    expect(read).toMatchObject([{ name: "f", arguments: `[${"0, ".repeat(1_000)}` }]);
    expect(total).toBeLessThan(10_000);
  });

  it("every call is opened and closed once, also one that never gets a name", () => {
    const chunks = [
      fragment({ index: 0, id: "a", ...fn("f", "{}") }),
      fragment({ index: 1, ...fn(undefined, '{"x":1}') }),
      fragment({ index: 2, id: "c", ...fn("g", "{}") }),
      delta({}, "tool_calls"),
    ];
    const events = run(chatstyle.reply.decode(), chunks);
    const indexes = (type: "open" | "close") =>
      events.flatMap((event) => (event.type === type ? [event.index] : [])).sort();
    expect(indexes("open")).toEqual([0, 1, 2]);
    expect(indexes("close")).toEqual([0, 1, 2]);
  });

  it("a call that is whole is closed when the next begins", () => {
    const events = run(chatstyle.reply.decode(), chunksOf("tools.jsonl"));
    const order = events.flatMap((event) =>
      event.type === "open" || event.type === "close" ? [`${event.type}${event.index}`] : [],
    );
    expect(order).toEqual(["open0", "close0", "open1", "close1", "open2", "close2", "open3", "close3"]);
  });

  it.each<[string, Json[], string]>([
    [
      "length with calls",
      [fragment({ index: 0, id: "a", ...fn("f", '{"x') }), delta({}, "length")],
      "length",
    ],
    ["a filter", [delta({ content: "a" }, "content_filter")], "content_filter"],
    ["calls without any", [delta({ content: "a" }, "tool_calls")], "stop"],
    [
      "the older word",
      [delta({ function_call: { name: "f", arguments: "{}" } }, "function_call")],
      "tool_calls",
    ],
    ["a refusal", [delta({ refusal: "no" }, "stop")], "refusal"],
    ["an unknown word", [delta({ content: "a" }, "tired")], "other"],
    ["a full context", [delta({ content: "a" }, "model_context_window_exceeded")], "context_overflow"],
    ["another filter", [delta({ content: "a" }, "sensitive")], "content_filter"],
    [
      "a whole message that a server could not complete",
      [{ choices: [{ index: 0, message: { content: "a" }, finish_reason: "network_error" }] }, DONE],
      "other",
    ],
    ["a clean end without a word", [delta({ content: "a" }), DONE], "stop"],
    [
      "a clean end of a call without a word",
      [fragment({ index: 0, id: "a", ...fn("f", "[]") }), DONE],
      "tool_calls",
    ],
  ])("the end of %s is read", (_, chunks, reason) => {
    expect(reply(chunks).choices[0]?.finish?.reason).toBe(reason);
    expect(reply(chunks).failure).toBeUndefined();
  });

  it.each<[string, Json[]]>([
    ["nothing", []],
    ["only the closing line", [DONE]],
    ["a cut", [delta({ content: "a" })]],
    [
      "a closing line within the arguments of a call",
      [fragment({ index: 0, id: "a", ...fn("f", '{"x":') }), DONE],
    ],
    ["one choice of two", [delta({ content: "a" }, "stop"), delta({ content: "b" }, null, 1)]],
  ])("%s is read as a cut stream", (_, chunks) => {
    expect(reply(chunks).failure?.kind).toBe("unavailable");
  });

  it.each<[string, Json, object]>([
    ["a text", { error: "broken" }, { kind: "server", message: "broken" }],
    [
      "an object",
      { error: { message: "slow down", type: "rate_limit_error", code: null } },
      { kind: "rate_limit", status: 429, message: "slow down" },
    ],
    [
      "a number for a code",
      { error: { message: "busy", code: 503 } },
      { kind: "unavailable", status: 503, code: "503" },
    ],
    ["a list of one", [{ error: { message: "bad", code: 400 } }], { kind: "invalid", message: "bad" }],
    [
      "an object of its own",
      { object: "error", message: "no such model", type: "NotFoundError", code: 404 },
      { kind: "not_found", message: "no such model" },
    ],
    [
      "a choice",
      { choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "lost", code: 502 } }] },
      { kind: "unavailable", message: "lost" },
    ],
    [
      "a status beside an empty answer",
      { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
      { kind: "payment", code: "1008", message: "insufficient balance" },
    ],
    [
      "a status that means nothing to us",
      { choices: [], base_resp: { status_code: 9999, status_msg: "?" } },
      { kind: "server", message: "?" },
    ],
  ])("an error in the stream that is %s is read, and nothing after it", (_, chunk, failure) => {
    const read = reply([delta({ content: "a" }), chunk, delta({ content: "b" }, "stop"), DONE]);
    expect(read.failure).toMatchObject(failure);
    expect(read.choices[0]?.finish).toBeUndefined();
  });

  it("a status of success beside an answer is no error", () => {
    const chunk = { ...(delta({ content: "a" }, "stop") as JsonObject), base_resp: { status_code: 0 } };
    expect(parts([chunk, DONE])).toEqual([{ type: "text", text: "a" }]);
  });

  it.each([
    ["error", "unavailable"],
    ["network_error", "unavailable"],
    ["insufficient_system_resource", "overloaded"],
  ])("a stream that a server could not complete is an error, with the usage of its end: %s", (word, kind) => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    const end = { ...(delta({ content: "b" }, word) as JsonObject), usage };
    const read = reply([delta({ content: "a" }), end, DONE]);
    expect(read.choices).toEqual([{ parts: [expect.objectContaining({ type: "text", text: "ab" })] }]);
    expect(read).toMatchObject({ usage: { input: 3, output: 1 }, failure: { kind, code: word } });
    const body = { choices: [{ index: 0, message: { content: "" }, finish_reason: word }] };
    expect(observeBody(chatstyle, body).failure).toMatchObject({ kind, code: word });
  });

  it.each<[string, Json[], object[]]>([
    [
      "one member of any name",
      [delta({ reasoning_text: "hm" }), delta({ reasoning_text: "…" })],
      [{ type: "reasoning", text: "hm…" }],
    ],
    [
      "one member beside another that is empty",
      [delta({ reasoning_content: "", reasoning: "hm" })],
      [{ type: "reasoning", text: "hm" }],
    ],
    [
      "a seal alone",
      [
        delta({ reasoning_content: "hm" }),
        delta({ reasoning_details: [{ type: "reasoning.text", signature: "S", index: 0 }] }),
      ],
      [{ type: "reasoning", text: "hm", seal: { protocol: "chatstyle", value: "S" } }],
    ],
    [
      "blocks",
      [
        delta({ reasoning_content: "h", thinking_blocks: [{ type: "thinking", thinking: "h" }] }),
        delta({ thinking_blocks: [{ type: "thinking", thinking: "", signature: "S" }] }),
      ],
      [{ type: "reasoning", text: "h", seal: { protocol: "chatstyle", value: "S" } }],
    ],
    [
      "content",
      [
        delta({
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
            { type: "text", text: "a" },
          ],
        }),
      ],
      [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a" },
      ],
    ],
  ])("reasoning is read that comes as %s", (_, chunks, expected) => {
    expect(parts([...chunks, delta({}, "stop")])).toEqual(expected);
  });

  it.each<[string, JsonObject, object | undefined]>([
    [
      "reasoning left out of the completion",
      {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
      { input: 32, output: 103, reasoning: 94 },
    ],
    [
      "another name for cache hits",
      { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 8 },
      { input: 10, output: 1, cacheRead: 8 },
    ],
    [
      "another name for what the cache stored",
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 90 },
      },
      { input: 100, output: 1, cacheRead: 0, cacheWrite: 90 },
    ],
    [
      "pictures in the completion",
      {
        prompt_tokens: 6,
        completion_tokens: 1294,
        prompt_tokens_details: { image_tokens: 2 },
        completion_tokens_details: { image_tokens: 1290 },
      },
      { input: 6, output: 1294, imageInput: 2, imageOutput: 1290 },
    ],
    [
      "the words of other wires",
      { input_tokens: 11, output_tokens: 5, total_tokens: 16, input_tokens_details: { cached_tokens: 8 } },
      { input: 11, output: 5, cacheRead: 8 },
    ],
    ["a missing part", { prompt_tokens: 10, total_tokens: 12 }, { input: 10, output: 2 }],
    ["nonsense", { prompt_tokens: -1, completion_tokens: 1 }, undefined],
    [
      "more cache than prompt",
      { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } },
      { input: 1, output: 1 },
    ],
  ])("usage is counted with %s", (_, usage, expected) => {
    expect(reply([{ ...(delta({ content: "a" }, "stop") as JsonObject), usage }]).usage).toEqual(expected);
  });

  it.each<[string, JsonObject, string | undefined]>([
    ["a sequence that vLLM names", { stop_reason: "END" }, "END"],
    ["one that SGLang names", { matched_stop: "END" }, "END"],
    ["the number of a token", { stop_reason: 151_643, matched_stop: 151_645 }, undefined],
    ["a word for the reason", { stop_reason: "end_turn" }, undefined],
    ["nothing", { stop_reason: null }, undefined],
  ])("a stop by %s", (_, more, sequence) => {
    const end = { index: 0, finish_reason: "stop", ...more };
    const expected = sequence
      ? { reason: "stop_sequence", raw: "stop", sequence }
      : { reason: "stop", raw: "stop" };
    expect(reply([{ choices: [{ ...end, delta: { content: "a" } }] }]).choices[0]?.finish).toEqual(expected);
    const body = { choices: [{ ...end, message: { content: "a" } }] };
    expect(observeBody(chatstyle, body).finish).toEqual(expected);
  });

  it("any input is read without a throw", () => {
    const odd = fc.dictionary(
      fc.constantFrom(
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "function",
        "usage",
        "error",
        "index",
        "finish_reason",
        "logprobs",
        "annotations",
        "reasoning_details",
        "audio",
        "images",
      ),
      fc.jsonValue(),
    );
    const chunk = fc.oneof(
      fc.jsonValue(),
      odd,
      fc.record({
        choices: fc.array(
          fc.record({ index: fc.jsonValue(), delta: odd, finish_reason: fc.jsonValue(), logprobs: odd }),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const read = reply(chunks as Json[]);
        expect(read.failure !== undefined || read.choices.every((choice) => choice.finish)).toBe(true);
        chatstyle.reply.gather(chunks as never);
        for (const one of chunks) chatstyle.failure.decode(500, one as Json);
      }),
    );
  });
});
