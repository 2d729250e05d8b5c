import {
  type AssistantMessage,
  type AssistantPart,
  type CallPart,
  type Choice,
  type Event,
  type Extra,
  type Json,
  type Message,
  type Params,
  type Protocol,
  type Reply,
  type ResultPart,
  type Seal,
  type TextPart,
  type TextRequest,
  type Tool,
  type ToolChoice,
  type Usage,
  type UserPart,
  unfold,
} from "@manifold/core";
import fc from "fast-check";

/** Generated requests and replies, with what real ones hold, in the normal form that decoders produce. */

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 3 });
/** A record whose `undefined` members are absent. */
const sparse = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(members).map((record) => {
    for (const key of Object.keys(record) as (keyof T)[]) if (record[key] === undefined) delete record[key];
    return record as T;
  });

const words = fc
  .array(
    fc.constantFrom(
      "the",
      "weather",
      "in",
      "Oslo",
      "é",
      "漢字",
      "🙂",
      '"quoted"',
      "back\\slash",
      "\n",
      "{",
      "}",
      "\u2028",
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((list) => list.join(" "))
  .filter((text) => text.trim() === text);
const protocol = fc.constantFrom<Protocol>("chatstyle", "responses", "msgstyle", "genstyle", "native");
/** What upstreams hand out: base64 that means nothing to anybody else. */
const sealed = (...issuers: Protocol[]): fc.Arbitrary<Seal> =>
  fc.record({
    protocol: fc.constantFrom(...issuers),
    value: fc.base64String({ minLength: 8, maxLength: 40 }).map((text) => text.padEnd(8, "A")),
  });
const extra: fc.Arbitrary<Extra> = fc.record({
  protocol: protocol.filter((name) => name !== "native"),
  fields: fc.constantFrom<Extra["fields"]>(
    { x_note: "n" },
    { x_nested: { a: [1, true] } },
    { x_a: 1, "x/b~": "two" },
  ),
});
const cache = fc.constantFrom({}, { ttl: "5m" as const }, { ttl: "1h" as const });

/** Content that only one protocol knows, as its wire would spell it. */
const unknownPart = protocol
  .filter((name) => name !== "native")
  .map((name) => ({
    type: "opaque" as const,
    protocol: name,
    value: (name === "genstyle" ? { xUnknown: { a: 1 } } : { type: "x_unknown", a: 1 }) as Json,
  }));

const text: fc.Arbitrary<TextPart> = sparse<TextPart>({
  type: fc.constant("text"),
  text: words,
  cache: maybe(cache),
  extra: maybe(extra),
});
const saidText: fc.Arbitrary<TextPart> = words.map((said) => ({ type: "text", text: said }));
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const media = fc.constantFrom<UserPart>(
  { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png } },
  { type: "media", kind: "image", source: { type: "url", url: "https://example.com/a.png" }, detail: "high" },
  { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png }, cache: {} },
  { type: "media", kind: "image", source: { type: "file", protocol: "msgstyle", id: "file_1" } },
  {
    type: "media",
    kind: "document",
    source: { type: "base64", mediaType: "application/pdf", data: "JVBERi0xLjc=" },
    name: "a.pdf",
  },
  {
    type: "media",
    kind: "document",
    source: { type: "base64", mediaType: "application/pdf", data: "JVBERi0xLjc=" },
  },
  { type: "media", kind: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
  { type: "media", kind: "document", source: { type: "base64", mediaType: "text/plain", data: "aGVsbG8=" } },
  {
    type: "media",
    kind: "audio",
    source: { type: "base64", mediaType: "audio/wav", data: "UklGRgAAAABXQVZF" },
  },
  { type: "media", kind: "video", source: { type: "base64", mediaType: "video/mp4", data: "AAAA" } },
);

const callArguments = fc.constantFrom(
  "{}",
  '{"city":"Oslo"}',
  '{"n":9007199254740993}',
  '{"a": 1.0}',
  '{"a":[{"b":null}]}',
);
const toolNames = ["get_weather", "search", "run-it", "a.dotted:name"];
const tool: fc.Arbitrary<Tool> = fc.oneof(
  {
    weight: 5,
    arbitrary: sparse<Extract<Tool, { type: "function" }>>({
      type: fc.constant("function"),
      name: fc.constantFrom(...toolNames),
      description: maybe(words),
      schema: maybe(
        fc.constantFrom<Json>(
          { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
          {
            type: "object",
            properties: { a: { $ref: "#/$defs/a" } },
            $defs: { a: { type: ["string", "null"] } },
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { title: { const: "x" }, n: { type: "integer", exclusiveMinimum: 0 } },
          },
        ),
      ),
      strict: maybe(fc.boolean()),
      cache: maybe(cache),
      extra: maybe(extra),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("function" as const),
      name: fc.constant("free"),
      freeform: fc.constantFrom({}, { format: { type: "text" } }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Tool>(
      { type: "opaque", protocol: "responses", value: { type: "web_search", search_context_size: "low" } },
      {
        type: "opaque",
        protocol: "msgstyle",
        value: { type: "web_search_20250305", name: "web_search", max_uses: 2 },
      },
      { type: "opaque", protocol: "genstyle", value: { googleSearch: {} } },
    ),
  },
);
const tools = fc.uniqueArray(tool, {
  minLength: 1,
  maxLength: 4,
  selector: (each) => (each.type === "function" ? each.name : `${each.protocol}`),
});

/** What a model thought: pieces with seals of one issuer, or one piece without. */
const thoughts = (...issuers: Protocol[]): fc.Arbitrary<AssistantPart[]> =>
  fc.oneof(
    fc.constant<AssistantPart[]>([]),
    words.map((said): AssistantPart[] => [{ type: "reasoning", text: said }]),
    fc.constantFrom(...issuers).chain((issuer) =>
      fc.array(
        fc.record<AssistantPart & { type: "reasoning" }>({
          type: fc.constant("reasoning"),
          text: fc.oneof(words, fc.constant("")),
          seal: sealed(issuer),
        }) as fc.Arbitrary<AssistantPart>,
        { minLength: 1, maxLength: 2 },
      ),
    ),
  );

const result = (call: CallPart): fc.Arbitrary<ResultPart> =>
  sparse<ResultPart>({
    type: fc.constant("result"),
    id: fc.constant(call.id),
    parts: fc.oneof(
      { weight: 4, arbitrary: saidText.map((part): ResultPart["parts"] => [part]) },
      { weight: 1, arbitrary: fc.constant<ResultPart["parts"]>([]) },
      { weight: 1, arbitrary: fc.constant<ResultPart["parts"]>([{ type: "text", text: '{"temp":21}' }]) },
      {
        weight: 1,
        arbitrary: fc.constant<ResultPart["parts"]>([
          { type: "text", text: "a picture" },
          { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png } },
        ]),
      },
    ),
    failed: maybe(fc.constant(true as const)),
    freeform: fc.constant(call.freeform),
    cache: maybe(cache),
  });

const system = sparse<Extract<Message, { role: "system" }>>({
  role: fc.constant("system"),
  parts: fc.array(text, { minLength: 1, maxLength: 2 }),
  developer: maybe(fc.constant(true as const)),
  extra: maybe(extra),
});
const userSays = (...parts: fc.Arbitrary<UserPart>[]): fc.Arbitrary<Message> =>
  sparse<Extract<Message, { role: "user" }>>({
    role: fc.constant("user"),
    parts: fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 }),
    name: maybe(fc.constant("ann")),
    extra: maybe(extra),
  });
const user = userSays(text, text, media, unknownPart);
const firstUser = fc
  .tuple(text, user)
  .map(([said, message]) => ({ ...message, parts: [said, ...message.parts] }) as Message);

/** A turn of the model, and the answers to its calls. Ids are given afterwards. */
const step: fc.Arbitrary<Message[]> = fc
  .record({
    thoughts: thoughts("msgstyle", "genstyle", "responses", "chatstyle"),
    said: fc.array(fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: unknownPart }), {
      maxLength: 2,
    }),
    calls: fc.array(
      sparse<CallPart>({
        type: fc.constant("call"),
        id: fc.constant(""),
        name: fc.constantFrom(...toolNames),
        arguments: callArguments,
        seal: maybe(sealed("genstyle")),
        cache: maybe(fc.constant({})),
      }),
      { maxLength: 3 },
    ),
    name: maybe(fc.constant("bot")),
  })
  .filter(({ said, calls }) => calls.length > 0 || said.some((part) => part.type === "text"))
  .chain(({ thoughts: thought, said, calls, name }) => {
    const turn: AssistantMessage = { role: "assistant", parts: [...thought, ...said, ...calls] };
    if (name) turn.name = name;
    if (calls.length === 0) return user.map((next) => [turn, next]);
    return fc
      .tuple(...calls.map(result))
      .map((results): Message[] => [turn, { role: "user", parts: results }]);
  });

/** Each message fields of its own. */
const tellApart = (messages: Message[]): Message[] =>
  messages.map((message, i): Message => {
    if (!message.extra) return message;
    const fields = Object.entries(message.extra.fields).map(([name, value]) => [`${name}_${i}`, value]);
    return { ...message, extra: { ...message.extra, fields: Object.fromEntries(fields) } };
  });

/** Each call an id of its own, its result the same. */
function identify(steps: Message[][]): Message[] {
  let count = 0;
  return steps.flatMap((messages) => {
    const start = count;
    return messages.map((message): Message => {
      let at = start;
      const parts = message.parts.map((part) =>
        part.type === "call" || part.type === "result" ? { ...part, id: `call_${at++}` } : part,
      );
      count = Math.max(count, at);
      return { ...message, parts } as Message;
    });
  });
}

const params: fc.Arbitrary<Params> = sparse<Params>({
  maxTokens: maybe(fc.constantFrom(1, 100, 4096, 30_000)),
  temperature: maybe(fc.constantFrom(0, 0.5, 1, 1.7)),
  topP: maybe(fc.constantFrom(0, 0.5, 1)),
  topK: maybe(fc.constantFrom(0, 40)),
  minP: maybe(fc.constant(0.1)),
  topA: maybe(fc.constant(0.1)),
  repetitionPenalty: maybe(fc.constant(1.1)),
  frequencyPenalty: maybe(fc.constantFrom(-2, 0, 1)),
  presencePenalty: maybe(fc.constantFrom(-2, 0, 1)),
  seed: maybe(fc.constantFrom(0, 7)),
  stop: maybe(fc.constantFrom(["END"], ["a", "b", "c", "d", "e", "f"])),
  logitBias: maybe(fc.constant<Json>({ "50256": -100 })),
  logprobs: maybe(fc.boolean()),
  topLogprobs: maybe(fc.constantFrom(0, 5)),
  candidates: maybe(fc.constantFrom(1, 3)),
  verbosity: maybe(fc.constantFrom("low", "high")),
  serviceTier: maybe(fc.constantFrom("auto", "flex", "priority")),
  user: maybe(fc.constant("user-1")),
  cacheKey: maybe(fc.constant("key-1")),
  store: maybe(fc.boolean()),
  labels: maybe(fc.constant({ team: "a" })),
});

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

const usage: fc.Arbitrary<Usage> = fc
  .record({
    fresh: fc.nat({ max: 5000 }),
    cacheRead: maybe(fc.integer({ min: 1, max: 5000 })),
    cacheWrite: maybe(fc.integer({ min: 1, max: 5000 })),
    visible: fc.nat({ max: 5000 }),
    reasoning: maybe(fc.integer({ min: 1, max: 5000 })),
  })
  .map(({ fresh, cacheRead, cacheWrite, visible, reasoning: thinking }) => ({
    input: fresh + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: visible + (thinking ?? 0),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(thinking !== undefined && { reasoning: thinking }),
  }));

const answer: fc.Arbitrary<TextPart> = fc.oneof(
  { weight: 5, arbitrary: saidText },
  {
    weight: 1,
    arbitrary: words.map(
      (said): TextPart => ({
        type: "text",
        text: said,
        citations: [{ url: "https://example.com/", title: "Example", start: 0, end: said.length }],
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: words.map(
      (said): TextPart => ({ type: "text", text: said, logprobs: [{ token: said, logprob: -0.5 }] }),
    ),
  },
);

const refusal: fc.Arbitrary<Choice> = words.map((said) => ({
  parts: [{ type: "text", text: said, refusal: true }],
  finish: { reason: "refusal" },
}));

/** One answer. Neighbouring texts would be one text on most wires, so there are none. */
const choice = (...issuers: Protocol[]): fc.Arbitrary<Choice> =>
  fc.oneof(
    { weight: 1, arbitrary: refusal },
    {
      weight: 8,
      arbitrary: fc
        .record({
          thoughts: thoughts(...issuers),
          said: fc.array(answer, { maxLength: 1 }),
          calls: fc.array(
            sparse<CallPart>({
              type: fc.constant("call"),
              id: fc.constant(""),
              name: fc.constantFrom("get_weather", "search"),
              arguments: callArguments,
              // Of all issuers one seals its calls.
              seal: issuers.includes("genstyle") ? maybe(sealed("genstyle")) : fc.constant(undefined),
            }),
            { maxLength: 3 },
          ),
          reason: fc.constantFrom(
            "stop" as const,
            "length" as const,
            "content_filter" as const,
            "stop_sequence" as const,
          ),
        })
        .filter(({ thoughts: thought, said, calls }) => thought.length + said.length + calls.length > 0)
        .map(({ thoughts: thought, said, calls, reason }): Choice => {
          const cut = reason === "length" || reason === "content_filter";
          const parts = [...thought, ...said, ...calls.map((call, i) => ({ ...call, id: `call_${i}` }))];
          return { parts, finish: { reason: calls.length > 0 && !cut ? "tool_calls" : reason } };
        }),
    },
  );

/** The events of a reply as streams bring them: texts in pieces, and calls side by side. */
export const streamed = (whole: Reply): fc.Arbitrary<Event[]> => {
  const events = unfold(whole);
  const callsFrom = events.findIndex((event) => event.type === "open" && event.part.type === "call");
  const isOfPart = (event: Event): boolean =>
    event.type === "open" || event.type === "delta" || event.type === "close";
  const callsTo = callsFrom < 0 ? 0 : events.findLastIndex((event) => isOfPart(event)) + 1;
  return fc.array(fc.nat(), { minLength: 8, maxLength: 8 }).map((dice) => {
    let at = 0;
    const roll = (sides: number): number => (dice[at++ % dice.length] as number) % sides;
    const pieces = events.flatMap((event): Event[] => {
      if (event.type !== "delta" || event.text.length < 2) return [event];
      const cut = 1 + roll(event.text.length - 1);
      return [
        { ...event, text: event.text.slice(0, cut) },
        { ...event, text: event.text.slice(cut) },
      ];
    });
    if (callsFrom < 0 || callsTo === 0) return pieces;
    // Calls open in order; what else comes of them may come in any order between them.
    const first = pieces.findIndex((event) => event.type === "open" && event.part.type === "call");
    const end = pieces.findLastIndex((event) => isOfPart(event)) + 1;
    const queues = new Map<number, Event[]>();
    for (const event of pieces.slice(first, end)) {
      const { index } = event as Extract<Event, { type: "open" }>;
      queues.set(index, [...(queues.get(index) ?? []), event]);
    }
    const waiting = [...queues.values()];
    const running: Event[][] = [];
    const mixed: Event[] = [];
    while (waiting.length + running.length > 0) {
      const pick = roll(running.length + (waiting.length > 0 ? 1 : 0));
      const queue = pick < running.length ? (running[pick] as Event[]) : (waiting.shift() as Event[]);
      mixed.push(queue.shift() as Event);
      if (pick >= running.length) running.push(queue);
      else if (queue.length === 0) running.splice(pick, 1);
    }
    return [...pieces.slice(0, first), ...mixed, ...pieces.slice(end)];
  });
};

/** Replies as a model of one of `issuers` gives them. */
export const replyOf = (...issuers: Protocol[]): fc.Arbitrary<Reply> =>
  sparse<Reply>({
    choices: choice(...issuers).map((one) => [one]),
    usage: maybe(usage),
  });
export const reply = replyOf("msgstyle", "genstyle", "responses", "chatstyle");
