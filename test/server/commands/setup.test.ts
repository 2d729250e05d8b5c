import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agents } from "@manifold-gateway/console/agents";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDocument } from "../../../apps/server/src/config/document.ts";
import { runCommand } from "../../support/commands.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "manifold-setup-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const TERMS = ["--url", "https://ai.example.com/", "--model", "m1"];
const setup = (...words: string[]) =>
  runCommand(["setup", ...words, ...TERMS], { env: { HOME: home, MANIFOLD_KEY: "mfk_secret" } });

describe("setup", () => {
  it.each(Object.keys(agents))("gives %s the address, the model and the name of the key", async (agent) => {
    const { code, output } = await setup(agent);
    expect(code).toBe(0);
    expect(output).toMatch(/https:\/\/ai\.example\.com\/api\/(chatstyle\/v1|msgstyle|genstyle)\b/);
    expect(output).toContain("m1");
    expect(output).toContain("MANIFOLD_KEY");
    expect(output).not.toContain("mfk_secret");
    const { lines } = await setup(agent, "--json");
    expect(lines).toEqual([
      expect.objectContaining({ name: agents[agent]?.name, keyVariable: "MANIFOLD_KEY", model: "m1" }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("mfk_secret");
    // Files of texts are read by programs of others: they have to be what their ending says.
    for (const { path, content } of lines[0].files)
      if (path.endsWith(".yaml")) expect(readDocument("f.yaml", content).value).toHaveProperty("models");
  });

  it("takes the address and the first model of text from the configuration, where they are not given", async () => {
    const file = join(home, "manifold.yaml");
    const models = {
      pictures: { output: ["image"], entries: [{ provider: "p", name: "n" }] },
      m2: { entries: [{ provider: "p", name: "n" }] },
    };
    const providers = { p: { protocol: "chatstyle", origin: "http://127.0.0.1:9" } };
    writeFileSync(file, JSON.stringify({ server: { host: "0.0.0.0", port: 9001 }, providers, models }));
    const { lines } = await runCommand(["setup", "aider", "--json", "--config", file]);
    expect(lines[0]).toMatchObject({
      model: "m2",
      variables: { OPENAI_API_BASE: "http://127.0.0.1:9001/api/chatstyle/v1" },
    });
  });

  it("writes files that are not there, and adds to JSON that is, comments and all", async () => {
    const settings = join(home, ".gemini/settings.json");
    mkdirSync(dirname(settings));
    writeFileSync(
      settings,
      '{\n  // mine\n  "ui": { "theme": "dark" },\n  "privacy": { "usageStatisticsEnabled": true }\n}\n',
    );
    expect((await setup("gemini-cli", "--write")).output).toContain(`written: ${settings}`);
    const text = readFileSync(settings, "utf8");
    expect(text).toContain("// mine");
    expect(readDocument(settings).value).toEqual({
      ui: { theme: "dark" },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: "gemini-api-key" } },
    });
    await setup("pi", "--write");
    expect(JSON.parse(readFileSync(join(home, ".pi/agent/models.json"), "utf8"))).toHaveProperty(
      "providers.manifold.apiKey",
      "MANIFOLD_KEY",
    );
    await setup("codex", "--write");
    expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain('env_key = "MANIFOLD_KEY"');
  });

  it("leaves a file alone that it cannot add to, and says which lines it needs", async () => {
    await setup("codex", "--write");
    const file = join(home, ".codex/config.toml");
    const before = readFileSync(file, "utf8");
    await expect(setup("codex", "--write")).rejects.toThrow(
      /is there already[\s\S]*model_provider = "manifold"/,
    );
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(existsSync(join(home, ".codex/config.toml.tmp"))).toBe(false);
  });

  it.each([
    [["nobody"], /no agent 'nobody'; known are .*claude-code/],
    [["cline", "--write"], /no file/],
    [["pi", "--key-variable", "A B"], /--key-variable/],
    [["pi", "--url", "ftp://x"], /--url/],
    [["pi", "--model", 'a"b'], /--model/],
  ])("refuses %j", async (words, message) => {
    await expect(runCommand(["setup", ...TERMS, ...words], { env: { HOME: home } })).rejects.toThrow(message);
  });
});
