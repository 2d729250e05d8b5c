import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Sample } from "../../packages/console/web/src/api/curl.ts";
import { LANGUAGES, toPythonValue } from "../../packages/console/web/src/api/languages.ts";

const sample = (body: unknown): Sample => ({
  method: "POST",
  url: "http://127.0.0.1:8787/api/chatstyle/v1/chat/completions",
  credential: { header: "x-api-key", variable: "MANIFOLD_KEY" },
  body,
});
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"));

describe("the examples of the API", () => {
  it("say the same body in TypeScript, whatever it holds", async () => {
    const run = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        let sent: RequestInit | undefined;
        const fake = async (_: string, init: RequestInit) => {
          sent = init;
          return new Response();
        };
        const program = new run("fetch", "process", "console", LANGUAGES.typescript.write(sample(body)));
        await program(fake, { env: { MANIFOLD_KEY: "k" } }, { log() {} });
        expect(JSON.parse(String(sent?.body))).toEqual(JSON.parse(JSON.stringify(body)));
        expect(sent?.headers).toMatchObject({ "x-api-key": "k" });
      }),
    );
  });

  // Literals of Python that are made of JSON are those of JavaScript, but for three names.
  it("say the same body in Python, whatever it holds", () => {
    fc.assert(
      fc.property(json, (body) => {
        const read = new Function("True", "False", "None", `return ${toPythonValue(body)}`);
        expect(read(true, false, null)).toEqual(JSON.parse(JSON.stringify(body)));
      }),
    );
  });

  it("say the same body to a shell, quotes and lines and variables included", () => {
    const body = { text: `it's "$HOME" \\ \`id\`\n!!` };
    const line = LANGUAGES.curl.write(sample(body));
    const fake = `curl() { for word; do printf '%s\\0' "$word"; done; }\n`;
    const words = execFileSync("sh", ["-c", fake + line], { env: { MANIFOLD_KEY: "k" } })
      .toString()
      .split("\0");
    expect(JSON.parse(words[words.indexOf("-d") + 1] ?? "")).toEqual(body);
    expect(words).toContain("x-api-key: k");
  });
});
