import { createServer } from "node:http";
import { type AnyCodec, codecs, DONE } from "@manifold-gateway/core";
import { defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceString } from "../../../packages/core/src/json/splice.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, PROTOCOLS } from "../../support/text.ts";
import { askOf, callers, upstreamWires } from "../../support/wires/index.ts";

const NAME = "vendors-own-näme-2026";
const ASKED = "named-ä";

const codecOf = (protocol: UpstreamProtocol): AnyCodec => codecs[protocol] as AnyCodec;
const framed = (protocol: UpstreamProtocol, end = "\n"): string =>
  upstreamWires[protocol]
    .named(NAME)
    .map((chunk) => {
      const event = chunk === DONE ? undefined : codecOf(protocol).frame.event?.(chunk as never);
      const data = chunk === DONE ? DONE : JSON.stringify(chunk).replace(":", ": ");
      return `${event ? `event: ${event}${end}` : ""}data: ${data}${end}${end}`;
    })
    .join("");
const whole = (protocol: UpstreamProtocol): string =>
  JSON.stringify(codecOf(protocol).reply.gather(upstreamWires[protocol].named(NAME) as never), null, 2);

let answer: { type: string; text: string };
let h: Stage;
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": answer.type }).end(answer.text);
});
beforeAll(async () => {
  const { origin } = await listen(server);
  h = await startStage({
    models: PROTOCOLS.flatMap((protocol) => [
      model(`${ASKED}-${protocol}`, `of-${protocol}`, { answerName: "asked" }),
      model(`kept-${protocol}`, `of-${protocol}`),
    ]),
    providers: new Map(
      PROTOCOLS.map((protocol) => [
        `of-${protocol}`,
        defineProvider(`of-${protocol}`, { origin, speaks: [protocol] }),
      ]),
    ),
  });
});
afterAll(async () => {
  await h.close();
  server.close();
});

const ask = (protocol: UpstreamProtocol, id: string, stream: boolean): Promise<Response> =>
  h.call(...askOf(protocol, id, stream));

/** The answer with the name exchanged where it names the model, found without the code that is tested. */
const expected = (text: string, id: string): string =>
  text.replace(/("model"|"modelVersion")(: ?)"vendors-own-näme-2026"/g, `$1$2"${id}"`);

describe.each(callers)("the model's name in relayed answers of %s", (protocol) => {
  it("a relayed answer keeps the provider's name of the model by default", async () => {
    for (const stream of [false, true]) {
      answer = stream
        ? { type: "text/event-stream", text: framed(protocol) }
        : { type: "application/json", text: whole(protocol) };
      const text = await (await ask(protocol, `kept-${protocol}`, stream)).text();
      expect(text.startsWith(answer.text)).toBe(true);
    }
  });

  it("a relayed answer has the requested name where the model says so, every other byte unchanged", async () => {
    const id = `${ASKED}-${protocol}`;
    for (const end of ["\n", "\r\n", undefined]) {
      const stream = end !== undefined;
      answer = stream
        ? { type: "text/event-stream", text: framed(protocol, end) }
        : { type: "application/json", text: whole(protocol) };
      const text = await (await ask(protocol, id, stream)).text();
      // The metadata of a response is the caller's own, and text is text.
      const own = expected(answer.text, id).replace(`{"model":"${id}"}`, `{"model":"${NAME}"}`);
      const kept = own.replace(/("metadata": ?\{\s*"model": ?)"[^"]*"/, `$1"${NAME}"`);
      expect(text.startsWith(kept), text).toBe(true);
      expect(text).toContain(NAME);
    }
  });
});

it.each([
  ["", ""],
  ["[1]", "[1]"],
  ['{"model":7}', '{"model":7}'],
  ['{"a":{"model":"x"}}', '{"a":{"model":"x"}}'],
  [' {"a" : [1, "}"] , "model" : "x" } ', ' {"a" : [1, "}"] , "model" : "y" } '],
  ['{"model":"x', '{"model":"y"'],
  ['{"a', '{"a'],
])("replacing the model's name in %j gives %j", (text, after) => {
  expect(replaceString(text, ["model"], '"y"')).toBe(after);
});
