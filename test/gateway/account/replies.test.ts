import { createServer } from "node:http";
import { type AnyCodec, codecs, readChunk, readFrames } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import { type Choice, fold, protocolNames } from "@manifold-gateway/core/ir";
import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { openSqlite, type RecordOptions, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, modelOf } from "../../support/text.ts";
import { askOf, upstreams, wires } from "../../support/wires/index.ts";

const open = (records: Partial<RecordOptions>) => openSqlite({ path: ":memory:", records });
const recordOf = (stage: Stage, response: Pick<Response, "headers">): Promise<Json> =>
  stage.until(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`, (one) => one.reply);
const textIn = ({ choices }: { choices: readonly Choice[] }): string =>
  choices.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : ""))).join("");

/** What the caller of a protocol reads in an answer. */
async function answerOf(codec: AnyCodec, response: Response, stream: boolean): Promise<string> {
  expect(response.status).toBe(200);
  const text = await response.text();
  const chunks = stream
    ? run(readFrames(), [new TextEncoder().encode(text)]).map(readChunk)
    : codec.reply.burst(JSON.parse(text));
  return textIn(fold(run(codec.reply.decode(), chunks)));
}

describe("the reply of a record", () => {
  let store: Store;
  let stage: Stage;
  beforeAll(async () => {
    store = await open({ replies: "full", replyBytes: 4_096 });
    stage = await startStage({ store, listens: false });
  });
  afterAll(async () => {
    await stage.close();
    await store.close();
  });

  const callers = protocolNames.filter((name) => wires[name].ask !== undefined);
  const asked = callers.flatMap((caller) => upstreams.map((upstream) => ({ caller, upstream })));

  it.each(asked)("is what the caller of $caller got from a provider of $upstream", async (one) => {
    const { caller, upstream } = one;
    // The native surface has streams alone.
    for (const stream of caller === "native" ? [true] : [true, false]) {
      const [path, body] = askOf(caller, modelOf(upstream), stream);
      const response = await stage.call(path, body);
      const got = await answerOf(codecs[caller] as AnyCodec, response, stream);
      const { reply } = await recordOf(stage, response);
      expect(textIn(reply)).toBe(got);
      expect(got).not.toBe("");
      expect(reply.choices[0].finish.reason).toBe("stop");
      expect(reply).not.toHaveProperty("truncated");
    }
  });

  it("ends where it has as many bytes as may be kept", async () => {
    const response = await stage.call(CHAT, {
      model: "sim-msgstyle",
      stream: true,
      max_tokens: 4_000,
      messages: [{ role: "user", content: `[[text:${"many words ".repeat(600)}]]` }],
    });
    const got = await answerOf(codecs.chatstyle as AnyCodec, response, true);
    const { reply } = await recordOf(stage, response);
    expect(reply.truncated).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(4_096);
    expect(textIn(reply).length).toBeGreaterThan(1_000);
    expect(got.startsWith(textIn(reply))).toBe(true);
  });

  it("stands in lists where it is asked for", async () => {
    const list = async (query: string) =>
      (await stage.json(`/api/compat/v1/usage?limit=2${query}`)).results as Json[];
    for (const query of ["&reply=true", "&reply=true&after=0&request=false"])
      for (const { reply } of await list(query)) expect(reply.choices).toHaveLength(1);
    for (const record of await list("")) expect(record).not.toHaveProperty("reply");
  });
});

it("a record without an option for replies says that none is kept", async () => {
  const stage = await startStage({ listens: false });
  const response = await stage.call(...askOf("chatstyle", "sim-chatstyle", false));
  await response.text();
  const record = await stage.json(`/api/compat/v1/usage/${response.headers.get("x-generation-id")}`);
  expect(record).toMatchObject({ replyKept: false, status: "succeeded" });
  expect(record).not.toHaveProperty("reply");
  await stage.close();
});

it("the reply of a record has no credential of ours, and that of a stream which broke off is as far as it came", async () => {
  const secret = "provider-credential-0123456789";
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const upstream = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk("It is "));
    response.write(chunk(`${secret}.`), () => response.destroy());
  });
  const { origin } = await listen(upstream);
  const store = await open({ replies: "full" });
  const stage = await startStage({
    store,
    catalog: createCatalog([model("leaky", "leaky")]),
    providers: new Map([["leaky", defineProvider("leaky", { origin, speaks: ["chatstyle"], key: secret })]]),
  });
  const messages = [{ role: "user", content: "Which key?" }];
  const response = await stage.call(CHAT, { model: "leaky", stream: true, messages });
  await response.text();
  const { reply, status } = await recordOf(stage, response);
  expect([status, textIn(reply)]).toEqual(["failed", "It is [redacted]."]);
  expect(reply.choices[0]).not.toHaveProperty("finish");
  await stage.close();
  await store.close();
  upstream.close();
});
