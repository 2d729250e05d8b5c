import { afterEach, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import {
  flatRefusal as flat,
  type Judge,
  noStop,
  type RefusingStage,
  startRefusing,
} from "../../support/refusing.ts";
import { CHAT } from "../../support/text.ts";

const MESSAGES = "/api/msgstyle/v1/messages";
const DAY = 86_400_000;
const WORDS = "refused by the provider: Unsupported parameter: 'stop' is not supported with this model";

let stage: RefusingStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function start(...args: Parameters<typeof startRefusing>): Promise<RefusingStage> {
  stage = await startRefusing(...args);
  return stage;
}

const ask = (more: Json = {}): Json => ({
  model: "m",
  max_tokens: 50,
  messages: [{ role: "user", content: "Hi" }],
  stop_sequences: ["END"],
  ...more,
});

describe("a refusal of a translated request", () => {
  it("is adapted to once, and later requests are right at the first call", async () => {
    const { call, received, routeOf } = await start(noStop);
    const first = await call(MESSAGES, ask());
    expect(first.status).toBe(200);
    expect(first.headers.get("x-losses")).toContain("/stop_sequences;unsupported");
    expect(first.headers.get("x-attempts")).toMatch(/status=400.*status=200/);
    expect(received.map((body) => "stop" in body)).toEqual([true, false]);
    const { losses, attempts } = await routeOf(first);
    expect(losses).toContainEqual({
      path: "/stop_sequences",
      why: "unsupported",
      detail: `the model refuses it; ${WORDS}`,
    });
    expect(attempts).toMatchObject([{ status: 400 }, { status: 200 }]);
    expect(attempts[0]).not.toHaveProperty("perhapsCharged");
    const second = await call(MESSAGES, ask());
    expect(second.status).toBe(200);
    expect(received).toHaveLength(3);
    expect(second.headers.get("x-losses")).toContain("/stop_sequences;unsupported");
  });

  it("teaches that a server reads the content of messages as a string", async () => {
    const noLists: Judge = ({ messages }) => {
      const at = messages.findIndex(({ content }: Json) => Array.isArray(content));
      const words = `Failed to deserialize the JSON body into the target type: messages[${at}]: invalid type: sequence, expected a string at line 1 column 9`;
      return at < 0 ? undefined : { ...flat(words), status: 422 };
    };
    const { call, received } = await start(noLists);
    const texts = (...all: string[]): Json => all.map((text) => ({ type: "text", text }));
    const body = {
      ...ask({ stop_sequences: undefined }),
      system: texts("Be brief.", "Be kind."),
      messages: [
        { role: "user", content: texts("A", "B") },
        { role: "assistant", content: texts("C", "D") },
        { role: "user", content: texts("E") },
      ],
    };
    const first = await call(MESSAGES, body);
    expect(first.status).toBe(200);
    expect(first.headers.get("x-losses")).toContain("approximated");
    expect((await call(MESSAGES, body)).status).toBe(200);
    expect(received).toHaveLength(3);
    expect(received.at(-1).messages.map(({ content }: Json) => content)).toEqual([
      "Be brief.\n\nBe kind.",
      "A\n\nB",
      "C\n\nD",
      "E",
    ]);
  });

  it("is charged for the answer only", async () => {
    const { call, balance } = await start(noStop);
    const before = (await balance()).balance;
    const response = await call(MESSAGES, ask());
    const { input_tokens: input, output_tokens: output } = ((await response.json()) as Json).usage;
    const after = await balance();
    expect(before - after.balance).toBe(input + output * 2);
    expect(after.held).toBe(0);
  });

  it("is adapted to before a stream begins", async () => {
    const { call, received } = await start(noStop);
    const response = await call(MESSAGES, ask({ stream: true }));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Hello there");
    expect(received).toHaveLength(2);
  });

  it("is forgotten after a day", async () => {
    const { call, received, pass } = await start(noStop);
    await call(MESSAGES, ask());
    pass(DAY - 1_000);
    await call(MESSAGES, ask());
    expect(received).toHaveLength(3);
    pass(1_001);
    await call(MESSAGES, ask());
    expect(received).toHaveLength(5);
  });

  it("is answered as it is if the request is in the provider's own protocol", async () => {
    const { call, received } = await start(noStop);
    const response = await call(CHAT, ask({ stop: "END" }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(noStop({ stop: "END" })?.body);
    await call(MESSAGES, ask());
    // What a translated request taught changes no other request.
    const again = await call(CHAT, ask({ stop: "END" }));
    expect(again.status).toBe(400);
    expect(received.at(-1)).toMatchObject({ stop: "END" });
    expect(received).toHaveLength(4);
  });

  it("is answered as it is if the operator has switched learning off", async () => {
    const { call, received } = await start(noStop, { routing: { learnFromRefusals: false } });
    const response = await call(MESSAGES, ask());
    expect(response.status).toBe(400);
    expect(received).toHaveLength(1);
  });

  it("is answered as it is if the caller accepts no losses", async () => {
    const { call, received } = await start(noStop);
    const strict = { headers: { "x-loss-policy": "strict" } };
    const response = await call(MESSAGES, ask(), strict);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Unsupported parameter");
    expect(received).toHaveLength(1);
    // Another caller teaches it; then the strict one is refused before any call, and learns why.
    await call(MESSAGES, ask());
    const later = await call(MESSAGES, ask(), strict);
    expect(later.status).toBe(400);
    expect(await later.text()).toContain("refused by the provider");
    expect(received).toHaveLength(3);
  });

  it("is answered as it is if the entry is strict about parameters", async () => {
    const { call, received } = await start(noStop, { entry: { capabilities: { strictParams: true } } });
    const response = await call(MESSAGES, ask());
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Unsupported parameter");
    expect(received).toHaveLength(1);
  });

  it("is answered as it is if the caller requires its parameters", async () => {
    const judge: Judge = (body) =>
      "temperature" in body
        ? {
            body: {
              type: "error",
              error: {
                type: "invalid_request_error",
                message: "`temperature` is deprecated for this model.",
              },
            },
          }
        : undefined;
    const { call, received } = await start(judge, { protocol: "msgstyle" });
    const body = { model: "m", temperature: 0.2, messages: [{ role: "user", content: "Hi" }] };
    const response = await call(CHAT, { ...body, provider: { require_parameters: true } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("`temperature` is deprecated for this model.");
    expect(received).toHaveLength(1);
    expect((await call(CHAT, body)).status).toBe(200);
  });

  it("is answered as it is if no call is left", async () => {
    const { call, received } = await start(noStop, { routing: { attempts: 1 } });
    expect((await call(MESSAGES, ask())).status).toBe(400);
    expect(received).toHaveLength(1);
    expect((await call(MESSAGES, ask())).status).toBe(200);
  });

  it("is answered as it is if the words say nothing of the model", async () => {
    const { call, received } = await start(() => flat("Request contains an invalid argument."));
    expect((await call(MESSAGES, ask())).status).toBe(400);
    expect(received).toHaveLength(1);
  });

  it("is distinguished from a failure that may have been charged", async () => {
    const { call, received } = await start(() => ({ ...flat(WORDS), status: 503 }));
    await call(MESSAGES, ask());
    expect(received.every((body) => "stop" in body)).toBe(true);
  });

  it("is adapted to if a server's template fails with 500, which may not have been charged", async () => {
    const message = "Jinja Exception: System message must be at the beginning.";
    const judge: Judge = ({ messages }) =>
      messages.some(({ role }: Json) => role === "system")
        ? { status: 500, body: { error: { code: 500, message } } }
        : undefined;
    const { call, received, routeOf } = await start(judge, { protocol: "msgstyle" });
    const messages = [
      { role: "user", content: "one" },
      { role: "system", content: "Answer in Latin." },
    ];
    const response = await call(CHAT, { model: "m", messages });
    expect(response.status).toBe(200);
    expect(received).toHaveLength(2);
    expect(JSON.stringify(received[1])).toContain("Answer in Latin.");
    const { attempts } = await routeOf(response);
    expect(attempts).toMatchObject([{ status: 500 }, { status: 200 }]);
    expect(attempts[0]).not.toHaveProperty("perhapsCharged");
  });
});

describe("a provider that refuses everything", () => {
  const hostile: [string, Judge][] = [
    [
      "in the same words",
      () => flat("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
    ],
    [
      "for another reason each time",
      (body) => {
        const [name = ""] = Object.keys(body).filter((key) => !["model", "messages", "tools"].includes(key));
        return flat(`Unsupported parameter: '${name}' is not supported with this model.`, name);
      },
    ],
    [
      "for what was not sent",
      () => flat("Unsupported parameter: 'seed' is not supported with this model.", "seed"),
    ],
  ];
  it.each(hostile)("is called twice for a request and no more: %s", async (_, judge) => {
    const { call, received } = await start(judge);
    const body = ask({ temperature: 0.3, top_p: 0.9, top_k: 5, metadata: { user_id: "u" } });
    for (let n = 1; n <= 3; n += 1) {
      const before = received.length;
      expect((await call(MESSAGES, body)).status).toBe(400);
      expect(received.length - before).toBeLessThanOrEqual(2);
    }
  });

  it("is called once for a request after its words did not help", async () => {
    const { call, received } = await start(hostile[0]?.[1] as Judge);
    for (let n = 1; n <= 4; n += 1) expect((await call(MESSAGES, ask())).status).toBe(400);
    expect(received).toHaveLength(5);
  });

  it("is called as often as `attempts` says at most, if its words always differ", async () => {
    const words = [
      "Unsupported parameter: 'stop' is not supported with this model.",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "invalid temperature: only 1 is allowed for this model",
      "Argument not supported on this model: topP",
    ];
    const { call, received } = await start(() => flat(words[received.length - 1] ?? ""));
    expect((await call(MESSAGES, ask({ temperature: 0.3, top_p: 0.9 }))).status).toBe(400);
    expect(received).toHaveLength(3);
  });

  it("teaches nothing that does not help", async () => {
    let isHostile = true;
    const { call, received } = await start((body) => (isHostile ? hostile[0]?.[1](body) : undefined));
    expect((await call(MESSAGES, ask())).status).toBe(400);
    isHostile = false;
    const response = await call(MESSAGES, ask());
    expect(response.status).toBe(200);
    expect(received.at(-1)).toMatchObject({ stop: ["END"] });
  });
});

describe("operators", () => {
  it("see what was learnt, with the provider's words and the end", async () => {
    const { call, json } = await start(noStop);
    const learntOf = async () =>
      (await json("/api/admin/state", undefined, 200, { headers: { "x-admin-key": ADMIN } })).providers[0]
        .entries[0].learnt;
    expect(await learntOf()).toBeUndefined();
    await call(MESSAGES, ask());
    const [lesson, ...others] = await learntOf();
    expect(others).toEqual([]);
    expect(lesson).toMatchObject({
      protocol: "chatstyle",
      traits: { refuses: ["stop"] },
      because: "Unsupported parameter: 'stop' is not supported with this model",
    });
    expect(Date.parse(lesson.until) - Date.parse(lesson.at)).toBe(DAY);
  });
});

describe("an explanation", () => {
  it("shows the body and the losses with what was learnt", async () => {
    const { call, json } = await start(noStop);
    await call(MESSAGES, ask());
    const explained = await json(MESSAGES, ask(), 200, {
      headers: { "x-explain": "true", "x-admin-key": ADMIN },
    });
    expect(explained.upstream.body).not.toHaveProperty("stop");
    expect(JSON.stringify(explained)).toContain(WORDS);
  });
});
