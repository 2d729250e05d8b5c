import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf } from "../../../apps/server/src/config/environment.ts";
import { loadConfig } from "../../../apps/server/src/config/load.ts";
import { ensureSecrets } from "../../../apps/server/src/config/secrets.ts";
import { runCommand } from "../../support/commands.ts";

let folder: string;
let file: string;
let secrets: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-init-"));
  file = join(folder, "manifold.yaml");
  secrets = join(folder, "manifold.env");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As a start does that is given the file alone: the variables beside it are read, too. */
const load = (env: Record<string, string> = {}) => loadConfig(file, environmentOf(env, file));

describe("init", () => {
  it("writes a file that can be used with the secrets beside it, for their owner alone", async () => {
    const { code, output } = await runCommand(["init", file], { env: { OPENAI_API_KEY: "sk-vendor" } });
    expect(code).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("#   OpenAI, by OPENAI_API_KEY");
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
    const { adminKey } = load().server;
    expect(adminKey).toMatch(/^[0-9a-f]{64}$/);
    for (const printed of [text, output]) {
      expect(printed).not.toContain(adminKey);
      expect(printed).not.toContain("sk-vendor");
    }
    expect(load()).toMatchObject({ server: { port: 8787 }, store: "sqlite:./data/manifold.db" });
  });

  it("shows the presets that a file has to name, if the environment has their keys", async () => {
    const env = { AWS_BEARER_TOKEN_BEDROCK: "aws-key", GROQ_API_KEY: "groq-key" };
    await runCommand(["init", file], { env });
    const text = readFileSync(file, "utf8");
    expect(text).toContain(
      "#  amazon-bedrock: { preset: amazon-bedrock }     # AWS_BEARER_TOKEN_BEDROCK is set",
    );
    expect(text).toContain("#   Groq, by GROQ_API_KEY");
    expect(text).not.toContain("preset: groq");
    expect(load(env).providers).toEqual({});
  });

  it("names the next commands as they are called in this shell", async () => {
    const said = async (npm_lifecycle_event: string): Promise<string> => {
      const { output } = await runCommand(["init", join(folder, `${npm_lifecycle_event}.yaml`)], {
        env: { npm_lifecycle_event },
      });
      return output;
    };
    expect(await said("npx")).toContain(
      `\nnpx manifold-gateway doctor --config ${join(folder, "npx.yaml")}\n`,
    );
    expect(await said("start")).toContain(`\nnpm start -s -- start --config ${join(folder, "start.yaml")}\n`);
  });

  it("takes options before answers, and answers before defaults", async () => {
    const asked: string[] = [];
    const ask = async (question: string): Promise<string> => {
      asked.push(question);
      return question.startsWith("Port") ? " 9001 " : "";
    };
    const store = "postgres://manifold:hunter22@db.example/manifold";
    await runCommand(["init", file, "--store", store], { ask });
    expect(asked).toEqual([expect.stringContaining("Port [8787]"), expect.stringContaining("Address")]);
    expect(readFileSync(file, "utf8")).not.toContain("hunter22");
    expect(load()).toMatchObject({ server: { port: 9001 }, store });
  });

  it("leaves secrets alone that the environment has", async () => {
    const env = { MANIFOLD_ADMIN_KEY: "a".repeat(40), DATABASE_URL: "postgres://u:p@h/d" };
    const { lines } = await runCommand(["init", file, "--json", "--url", "https://ai.example.com"], { env });
    expect(lines).toEqual([{ file, secrets, providers: [] }]);
    const kept = readFileSync(secrets, "utf8");
    expect(kept).not.toContain("MANIFOLD_ADMIN_KEY");
    expect(kept).not.toContain("DATABASE_URL");
    expect(load(env)).toMatchObject({
      server: { adminKey: env.MANIFOLD_ADMIN_KEY, url: "https://ai.example.com" },
      store: env.DATABASE_URL,
    });
  });

  it("keeps the secrets of an installation that had no file", async () => {
    const { seal, session } = ensureSecrets(join(folder, "data", "secrets.json"));
    await runCommand(["init", file, "--store", `sqlite:${join(folder, "data", "manifold.db")}`]);
    expect(load()).toMatchObject({ keyEncryptionSecrets: [seal], sessions: { secret: session } });
  });

  it.each([["manifold.yaml"], ["manifold.env"]])(
    "overwrites no %s, and writes nothing beside it",
    async (name) => {
      writeFileSync(join(folder, name), "mine");
      await expect(runCommand(["init", file])).rejects.toThrow(`${name} is there already`);
      expect(readdirSync(folder)).toEqual([name]);
    },
  );

  it.each([
    [["--port", "many"], /server\.port/],
    [["--store", "mysql://x"], /store: must begin with/],
    [["--url", "ai.example.com"], /server\.url/],
  ])("writes nothing that could not be used: %j", async (words, message) => {
    await expect(runCommand(["init", file, ...words])).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});
