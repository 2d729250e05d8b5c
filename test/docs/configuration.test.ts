import { describe, expect, it } from "vitest";
import { readDocument } from "../../apps/server/src/config/document.ts";
import { parseConfig, parseDocument } from "../../apps/server/src/config/load.ts";
import { ConfigError } from "../../apps/server/src/config/read.ts";
import { placeOf, snippets } from "./pages.ts";

type Members = Record<string, unknown>;

const ENTRY = { provider: "local", name: "upstream-m1" };
const PROVIDER = { protocol: "chatstyle", origin: "http://127.0.0.1:9103" };
const BASE = {
  providers: { local: PROVIDER, other: PROVIDER },
  models: { m1: { entries: [ENTRY] } },
};
/** What other snippets of the page declare. */
const DECLARED: Members = { ark: { preset: "byteplus" }, speech: { preset: "seedspeech" } };

/** Answers and webhooks that pages show: test/docs/answers.test.ts and webhooks.test.ts check them. */
const isAnswer = (value: Members): boolean =>
  ["verdict", "success", "msg", "timestamp"].some((name) => name in value);

/** The whole configuration that a snippet is a part of. */
function wholeOf(part: Members): Members {
  if ("entries" in part) return { ...BASE, models: { m1: part } };
  if ("provider" in part && "name" in part) return { ...BASE, models: { m1: { entries: [part] } } };
  if ("capabilities" in part) return { ...BASE, models: { m1: { entries: [{ ...ENTRY, ...part }] } } };
  if ("providers" in part && "models" in part) return part;
  const { providers = {}, ...rest } = part as { providers?: Members };
  return { ...BASE, ...rest, providers: { ...BASE.providers, ...DECLARED, ...providers } };
}

const secret = (name: string): string | undefined =>
  // These name files.
  name.endsWith("_FILE") || name === "GOOGLE_APPLICATION_CREDENTIALS"
    ? undefined
    : "0123456789abcdef".repeat(4);
const environment = new Proxy<Record<string, string>>(
  {
    DATABASE_URL: "postgres://manifold@127.0.0.1/manifold",
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
  },
  { get: (known, name) => known[String(name)] ?? secret(String(name)) },
);

const cases = snippets
  .filter(({ language }) => language === "json")
  .map((snippet) => {
    const text = snippet.text.trim();
    const value = JSON.parse(text.startsWith("{") ? text : `{${text}}`) as Members;
    return { place: placeOf(snippet), value };
  })
  .filter(({ value }) => !isAnswer(value));

const whole = snippets.filter(
  ({ language, text }) => language === "yaml" && text.startsWith("# yaml-language-server"),
);

describe("configurations on the pages", () => {
  it.each(whole.map((snippet) => ({ place: placeOf(snippet), text: snippet.text })))(
    "$place can be used as a file",
    ({ text }) => {
      const config = parseDocument(readDocument("page.yaml", text), environment, "page.yaml");
      expect(config.models).not.toEqual({});
    },
  );

  it.each(cases)("$place can be used", ({ value }) => {
    expect(() => parseConfig(wholeOf(value), environment, "page")).not.toThrow();
  });

  it("have the errors that a page shows", () => {
    const shown = snippets.find(({ text }) => text.startsWith("manifold.json cannot be used"));
    const wrong = `{
  "providers": {
    "local": { "protocol": "chatstyle", "origin": "http://127.0.0.1:9", "key": "$\{LOCAL_KEY}" }
  },
  "models": {
    "m1": { "outputs": ["text"], "entries": [{ "provider": "local", "name": "upstream-m1" }] }
  }
}`;
    const said = (): string => {
      try {
        return JSON.stringify(parseDocument(readDocument("manifold.json", wrong), {}, "manifold.json"));
      } catch (error) {
        if (error instanceof ConfigError) return error.message;
        throw error;
      }
    };
    expect(said()).toBe(shown?.text.trimEnd());
  });
});
