import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownTraits } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { runCommand } from "../../support/commands.ts";
import { noStop, type RefusingStage, startRefusing } from "../../support/refusing.ts";

let stage: RefusingStage;
let file: string;
const folder = mkdtempSync(join(tmpdir(), "traits-"));

beforeAll(async () => {
  stage = await startRefusing(noStop, { listens: true });
  await stage.call("/api/msgstyle/v1/messages", {
    model: "m",
    max_tokens: 50,
    messages: [{ role: "user", content: "Hi" }],
    stop_sequences: ["END"],
  });
  const { hostname, port } = new URL(stage.origin);
  file = join(folder, "manifold.yaml");
  writeFileSync(
    file,
    `server: { host: "${hostname}", port: ${port}, adminKey: "${ADMIN}" }
store: "sqlite:${folder}/m.db"
providers:
  p: { origin: "https://p.test", protocol: chatstyle, key: k, traits: { developer: false } }
models:
  m: # what is sold
    entries:
      - { provider: p, name: m, traits: { thinking: [] } }
`,
  );
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

describe("catalog traits", () => {
  it("lists the traits of models with their sources, and what a running service has learnt", async () => {
    const { lines } = await runCommand(`catalog traits --config ${file}`);
    const place = { model: "m", provider: "p", name: "m", protocol: "chatstyle" };
    expect(lines).toContainEqual({ ...place, trait: "developer", value: false, from: "provider" });
    expect(lines).toContainEqual({ ...place, trait: "thinking", value: [], from: "entry" });
    expect(lines).toContainEqual({
      ...place,
      trait: "refuses",
      value: ["stop"],
      from: "learnt: Unsupported parameter: 'stop' is not supported with this model",
    });
  });

  it("lists what is known without a running service", async () => {
    const text = readFileSync(file, "utf8").replace(/port: \d+/, "port: 9");
    const lonely = join(folder, "lonely.yaml");
    writeFileSync(lonely, text);
    const { code, lines } = await runCommand(`catalog traits --config ${lonely}`);
    expect(code).toBe(0);
    expect(lines.map(({ trait }) => trait)).toContain("thinking");
    await expect(runCommand(`catalog learn --config ${lonely}`)).rejects.toThrow("127.0.0.1:9 does not say");
  });

  it("lists the traits as a request has them: a model's limit of output, and parameters that add up", async () => {
    const text = readFileSync(file, "utf8")
      .replace(/port: \d+/, "port: 9")
      .replace("developer: false", "refuses: [seed]")
      .replace("traits: { thinking: [] }", "name: o3, capabilities: { text: { maxOutputTokens: 9 } }")
      .replace("name: m, name:", "name:");
    const listed = join(folder, "listed.yaml");
    writeFileSync(listed, text);
    const { lines } = await runCommand(`catalog traits --config ${listed}`);
    expect(lines).toContainEqual(expect.objectContaining({ trait: "maxOutput", value: 9, from: "listing" }));
    const known = knownTraits("o3").refuses ?? [];
    expect(known).not.toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({ trait: "refuses", value: [...known, "seed"], from: "provider" }),
    );
  });

  it("fails if the running service refuses to say what it has learnt", async () => {
    const refused = join(folder, "refused.yaml");
    writeFileSync(refused, readFileSync(file, "utf8").replace(ADMIN, `${ADMIN}-of-another`));
    await expect(runCommand(`catalog traits --config ${refused}`)).rejects.toThrow("status 401");
  });
});

describe("catalog learn", () => {
  it("writes what a running service has learnt into the entries, and keeps comments", async () => {
    const { output } = await runCommand(`catalog learn --config ${file}`);
    expect(output).toContain('m.entries.0.traits.refuses: ["stop"]');
    const text = readFileSync(file, "utf8");
    expect(text).toContain("# what is sold");
    const { lines } = await runCommand(`catalog traits --config ${file}`);
    expect(lines).toContainEqual(
      expect.objectContaining({ trait: "refuses", value: ["stop"], from: "entry" }),
    );
    expect((await runCommand(`catalog learn --config ${file}`)).output).toBe("nothing to change\n");
  });
});
