import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SocketStage, stage } from "../../gateway/socket/stage.ts";
import { price } from "../../support/text.ts";
import { find, run } from "./run.ts";
import { type Agent, claudeOn, codexOn, geminiOn, opencodeOn, qwenOn } from "./table.ts";

/** Models of ten families by their vendors' names, and the provider of the simulator that serves each. */
const MODELS: [name: string, protocol: string][] = [
  ["claude-sonnet-4-5", "msgstyle"],
  ["claude-opus-5", "msgstyle"],
  ["gpt-5-mini", "responses"],
  ["gpt-5.6-luna", "responses"],
  ["gemini-2.5-flash", "genstyle"],
  ["gemini-3-pro-preview", "genstyle"],
  ["deepseek-v4-pro", "chatstyle"],
  ["mistral-large-latest", "chatstyle"],
  ["kimi-k2.6", "chatstyle"],
  ["grok-4.20-0309-reasoning", "chatstyle"],
];

/** The simulator's model that stands for a vendor's. */
const standIn = (name: string): string => `sim-as-${name}`;

const AGENTS: ((model: string, by: string) => Agent)[] = [codexOn, claudeOn, geminiOn, opencodeOn, qwenOn];
const TURNS = 10;

/** What an agent sends on its own wire reaches the vendor as it is: its refusal is the agent's to hear. */
const OWN_WORDS: Record<string, { command: string; sends: string }> = {
  "kimi-k2.6": { command: "qwen", sends: "schemas of tools with $schema, which the vendor refuses" },
};

let s: SocketStage;
let folder: string;
beforeAll(async () => {
  s = await stage({
    models: MODELS.map(([name, provider]) => ({
      id: standIn(name),
      inputModalities: ["text", "image"],
      outputModalities: ["text"],
      isActive: true,
      revision: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      entries: [{ provider, name: standIn(name), priority: 1, isActive: true, price }],
    })),
  });
  folder = mkdtempSync(join(tmpdir(), "manifold-families-"));
});
afterAll(async () => {
  await s?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe.each(MODELS)("%s over %s", (name, protocol) => {
  for (const on of AGENTS) {
    const agent = on(standIn(name), protocol);
    const file = find(agent.command);
    const own = OWN_WORDS[name]?.command === agent.command ? OWN_WORDS[name] : undefined;
    it.skipIf(file === undefined || own)(
      file === undefined
        ? `skipped: '${agent.command}' is not installed`
        : own
          ? `skipped: on its own wire '${agent.command}' sends ${own.sends}`
          : `${agent.name} works for ${TURNS} turns with its tools, and the vendor refuses no request`,
      { timeout: 120_000 },
      async () => {
        const home = mkdtempSync(join(folder, "home-"));
        const cwd = mkdtempSync(join(folder, "work-"));
        const steps = Array.from({ length: TURNS }, (_, turn) => {
          const note = join(cwd, `note-${turn}.txt`);
          writeFileSync(note, `the word of turn ${turn}\n`);
          return agent.read(note);
        });
        const seen = s.h.simulator.ledger.query({ model: standIn(name) }).length;
        const prompt = `Read the notes ${steps.join(" [[step]] ")} [[step]] [[text:all notes are read]]`;
        // Rejects where the agent fails. Reminders of its own may come between the notes and its last words.
        await run(agent, file as string, prompt, { base: s.origin, home, cwd });
        const asked = s.h.simulator.ledger.query({ model: standIn(name) }).slice(seen);
        expect(asked.filter(({ status }) => status !== 200).map(({ request }) => request)).toEqual([]);
        expect(asked.filter(({ calls }) => calls.length > 0).length).toBeGreaterThanOrEqual(TURNS);
      },
    );
  }
});

it.skipIf(!AGENTS.some((on) => find(on("", "").command)))("the books of all agents add up", async () => {
  await s.h.settled();
  expect(await s.h.store.money.audit()).toEqual([]);
});
