import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../support/stage.ts";
import { CHAT, model } from "../support/text.ts";
import { snippets } from "./pages.ts";
import { type Served, serve } from "./server.ts";

type Members = Record<string, unknown>;

const HELLO = [{ role: "user", content: "Hello" }];

/** The snippet that has a text in it. */
function shown(text: string): string {
  const found = snippets.filter((snippet) => snippet.text.includes(text));
  expect(found).toHaveLength(1);
  return (found[0]?.text ?? "").trim();
}

const jsonShown = (text: string): Members => JSON.parse(shown(text)) as Members;

describe("answers on the pages", () => {
  let stage: Stage;
  let served: Served;
  beforeAll(async () => {
    const entry = (name: string, output: number) => ({
      ...{ provider: name, name: "sim-chatstyle", priority: 1, isActive: true },
      price: { input: 1_000_000, output: output * 1_000_000 },
    });
    const supportedParameters = ["temperature", "maxTokens", "stop"];
    const capabilities = { strictParams: true, text: { supportedParameters } };
    served = await serve();
    stage = await startStage({
      models: [
        model("m", "chatstyle", { entries: [{ ...entry("chatstyle", 2), capabilities }] }),
        model("two", "chatstyle", { entries: [entry("msgstyle", 2), entry("chatstyle", 4)] }),
      ],
    });
  });
  afterAll(async () => {
    await stage?.close();
    await served?.close();
  });

  const refusal = async (body: Members): Promise<Members> => {
    const answer = await stage.call(CHAT, { messages: HELLO, ...body });
    expect(answer.status).toBe(400);
    return (await answer.json()) as Members;
  };

  it("show the envelope of errors", async () => {
    const { timestamp, ...rest } = jsonShown('"success": false');
    expect(timestamp).toBeTypeOf("number");
    expect(await refusal({ model: "m", messages: [] })).toMatchObject(rest);
  });

  it("show the refusal of a misspelt preference", async () => {
    const { errors } = await refusal({ model: "m", provider: { sortt: "price" } });
    expect(errors).toEqual([shown("provider.sortt")]);
  });

  it("show why no entry is left", async () => {
    const { errors } = await refusal({ model: "two", provider: { max_price: { completion: 1 } } });
    const sentence = shown("no remaining provider").replace("'m'", "'two'");
    expect(errors).toEqual([sentence.replace("one:", "msgstyle:").replace("two:", "chatstyle:")]);
  });

  it("show a parameter that a model does not take", async () => {
    const { errors } = await refusal({ model: "m", seed: 3 });
    expect(errors).toEqual([shown("seed: the parameter is not supported")]);
  });

  it("show an explanation and the log line of a request, with the members that they have", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${served.origin}${CHAT}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": served.key, ...headers },
        body: JSON.stringify({ model: "sim-messages", seed: 7, messages: HELLO }),
      });
    const explained = (await (await ask({ "x-explain": "true" })).json()) as Members;
    const example = jsonShown('"verdict": "accepted"');
    // A key alone is not shown what goes upstream.
    expect(Object.keys({ ...explained, upstream: {} }).sort()).toEqual(Object.keys(example).sort());
    expect(explained).toMatchObject({ losses: example.losses, hints: example.hints, model: example.model });
    await (await ask({ "x-request-id": "mine-7" })).text();
    const line = await served.logged((text) => text.includes('"mine-7"'));
    expect(Object.keys(JSON.parse(line)).sort()).toEqual(Object.keys(jsonShown('"request":"mine-7"')).sort());
  });
});
