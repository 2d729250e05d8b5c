import { FAULTS } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { type Stage, stage } from "./setup.ts";

const set = stage();

type Ask = (text: string, stream: boolean) => [path: string, body: object];

const says = (content: string, stream: boolean) => ({
  model: "sim-text",
  max_tokens: 1000,
  messages: [{ role: "user", content }],
  stream,
});
const WIRES: [name: string, ask: Ask][] = [
  ["chatstyle", (text, stream) => ["/v1/chat/completions", says(text, stream)]],
  ["responses", (text, stream) => ["/v1/responses", { model: "sim-text", input: text, stream }]],
  ["msgstyle", (text, stream) => ["/v1/messages", says(text, stream)]],
  [
    "genstyle",
    (text, stream) => [
      `/v1beta/models/sim-text:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      { contents: [{ role: "user", parts: [{ text }] }] },
    ],
  ],
];
const END: Record<string, RegExp> = {
  chatstyle: /data: \[DONE\]\n\n$/,
  responses: /event: response\.completed\n/,
  msgstyle: /event: message_stop\n/,
  genstyle: /"finishReason":"STOP"/,
};
const USAGE = /"(prompt_tokens|input_tokens|promptTokenCount)"/;

const fault = (name: string) => `hello to the faulty world [[fault:${name}]]`;
const last = () => set.simulator.ledger.last();

/** Both ways to the simulator, which answers the same. */
const by = { post: "by a socket", hand: "without one" } as const;
const WAYS = WIRES.flatMap(([wire, ask]) =>
  (["post", "hand"] as const).map((way): [string, keyof typeof by, Ask] => [wire, way, ask]),
);

for (const [wire, way, ask] of WAYS) {
  const send: Stage["post"] = (...asked) => set[way](...asked);
  const post = (text: string, stream: boolean) => send(...ask(text, stream));
  const options = wire === "chatstyle" ? { stream_options: { include_usage: true } } : {};

  test(`${wire}, ${by[way]}: a fault has its status and retry-after in the vendor's own shape`, async () => {
    const answer = await post(fault("status=429,retry-after=2"), true);
    const body = await answer.json();
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe(wire === "genstyle" ? null : "2");
    expect(body.error).toMatchObject(
      {
        chatstyle: { type: "rate_limit_error", code: "rate_limit_exceeded" },
        responses: { type: "rate_limit_error", code: "rate_limit_exceeded" },
        msgstyle: { type: "rate_limit_error" },
        genstyle: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "2s" }] },
      }[wire]!,
    );
    expect(last()).toMatchObject({ delivered: "failed", status: 429, usage: { input: 0, output: 0 } });
  });

  test(`${wire}, ${by[way]}: an answer is cut after the given number of bytes, whatever its form`, async () => {
    for (const stream of [true, false]) {
      const answer = await post(fault("cut=60"), stream);
      let received = 0;
      await expect(
        (async () => {
          for await (const chunk of answer.body!) received += chunk.length;
        })(),
      ).rejects.toThrow();
      expect(received).toBe(60);
      expect(last()?.delivered).toBe("cut");
    }
  });

  test(`${wire}, ${by[way]}: an error comes in the stream after n content events, with no end behind it`, async () => {
    const text = await (await post(fault("error-after=2,status=529"), true)).text();
    expect(text).toMatch(/Simulated failure/);
    expect(text).not.toMatch(END[wire]!);
    expect(text.split("\n\n").filter(Boolean).at(-1)).toMatch(/error/);
    expect(last()?.delivered).toBe("failed");
  });

  test(`${wire}, ${by[way]}: a stream can lack its closing event or usage, or have a broken event`, async () => {
    const [path, body] = ask("plain", true);
    const whole = await (await send(path, { ...body, ...options })).text();
    expect(whole).toMatch(END[wire]!);
    expect(whole).toMatch(USAGE);
    expect(await (await post(fault("no-done"), true)).text()).not.toMatch(END[wire]!);
    const [, silent] = ask(fault("no-usage"), true);
    expect(await (await send(path, { ...silent, ...options })).text()).not.toMatch(USAGE);
    const broken = await (await post(fault("malformed"), true)).text();
    expect(broken).toContain('data: {"broken":\n\n');
    await expect((await post(fault("malformed"), false)).json()).rejects.toThrow(SyntaxError);
  });

  test(`${wire}, ${by[way]}: pauses change when the answer comes, not what it is`, async () => {
    const plain = async (text: string) => (await post(text, true)).text();
    // Ids and counts differ, because the directive is part of the request; the rest must not.
    const steady = (text: string) => text.replace(/[0-9a-f]{10,}/g, "").replace(/\d+/g, "0");
    const expected = steady(await plain(`hello to the faulty world`));
    for (const pause of ["slow=1", "stall=5", "delay=5", "gzip"])
      expect(steady(await plain(fault(pause)))).toBe(expected);
  });

  test(`${wire}, ${by[way]}: an answer can be a reset, HTML, a redirect or nothing at all`, async () => {
    await expect(post(fault("reset"), true)).rejects.toThrow();
    const html = await post(fault("html"), false);
    expect([html.status, html.headers.get("content-type")]).toEqual([502, "text/html"]);
    const redirect = await post(fault("redirect=http://elsewhere.test/x"), false);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([307, "http://elsewhere.test/x"]);
    expect(await (await post(fault("empty"), true)).text()).toBe("");
  });
}

test("a fault can be limited to a number of times", async () => {
  const [, ask] = WIRES[0]!;
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await set.post(...ask(fault("status=503,times=2"), false))).status);
  expect(statuses).toEqual([503, 503, 200, 200]);
});

test("scripts answer the requests they match, in order, and then no more", async () => {
  set.simulator.script("[[fault:status=500]]", { protocol: "msgstyle" });
  set.simulator.script({ text: "scripted" }, { model: "sim-text" });
  const [, chat] = WIRES[0]!;
  const [, messages] = WIRES[2]!;
  const text = async () => (await (await set.post(...chat("hi", false))).json()).choices[0].message.content;
  expect(await text()).toBe("scripted");
  expect(await text()).toBe("You said: hi");
  expect((await set.post(...messages("hi", false))).status).toBe(500);
  expect((await set.post(...messages("hi", false))).status).toBe(200);
});

test("a script that is taken back answers nothing, and leaves the others", async () => {
  const takeBack = set.simulator.script({ text: "never" }, { times: 2 });
  set.simulator.script({ text: "scripted" });
  takeBack();
  const [, chat] = WIRES[0]!;
  const { choices } = await (await set.post(...chat("hi", false))).json();
  expect(choices[0].message.content).toBe("scripted");
});

test("an unknown fault is refused by name", async () => {
  const [, ask] = WIRES[0]!;
  const answer = await set.post(...ask(fault("explode"), false));
  expect([answer.status, (await answer.json()).error.message]).toEqual([
    400,
    expect.stringContaining(Object.keys(FAULTS).join(", ")),
  ]);
});

test("embedding requests fail on demand too", async () => {
  const answer = await set.post("/v1/embeddings", { model: "sim-embed", input: fault("status=500") });
  expect(answer.status).toBe(500);
});

test("a request without a socket ends with its signal, and leaves the truth behind", async () => {
  const leaving = new AbortController();
  const [path, body] = WIRES[0]![1](`${"long ".repeat(50)}[[fault:slow=1]]`, true);
  const sent = new Request(`https://api.vendor.test${path}`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const reader = (await set.simulator.fetch(sent)).body!.getReader();
  await reader.read();
  leaving.abort(new Error("enough"));
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow("enough");
  expect(last()).toMatchObject({ delivered: "cut", text: expect.stringContaining("long") });
});

test("media made without a socket is fetched from the host that was asked", async () => {
  const answer = await set.hand("/v1/images/generations", { model: "gpt-image-1", prompt: "a boat" });
  expect(answer.status).toBe(200);
  const made = await set.hand("/api/v3/images/generations", {
    model: "seedream-4-0-250828",
    prompt: "a boat",
    response_format: "url",
  });
  const { data } = await made.json();
  expect(data[0].url).toMatch(/^https:\/\/api\.vendor\.test\//);
  const file = await set.simulator.fetch(new Request(data[0].url));
  expect([file.status, (await file.arrayBuffer()).byteLength > 100]).toEqual([200, true]);
});
