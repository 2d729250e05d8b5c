import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SocketStage, stage } from "../../gateway/socket/stage.ts";
import { model } from "../../support/text.ts";
import { find, run } from "./run.ts";
import { agents, OLDER } from "./table.ts";

/**
 * Coding agents as people run them, headless, each on a model of a protocol that is foreign to it. An agent takes
 * part where its command is on the path; `AGENTS_PATH` names a further folder, such as the `.bin` of an npm install.
 */
let s: SocketStage;
let folder: string;
beforeAll(async () => {
  s = await stage({ models: [model(OLDER, "genstyle")] });
  folder = mkdtempSync(join(tmpdir(), "manifold-agents-"));
});
afterAll(async () => {
  await s.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(agents)("$name", (agent) => {
  const file = find(agent.command);

  it.skipIf(file === undefined)(
    file === undefined
      ? `skipped: '${agent.command}' is not installed`
      : "the agent reads a file with its own tool and repeats its content",
    { timeout: 120_000 },
    async () => {
      const home = mkdtempSync(join(folder, "home-"));
      const cwd = mkdtempSync(join(folder, "work-"));
      const note = join(cwd, "note.txt");
      writeFileSync(note, "the-secret-word-is-manifold\n");
      s.lines.splice(0);
      const output = await run(agent, file as string, `Read the note ${agent.read(note)}`, {
        base: agent.sockets === "refused" ? s.h.origin : s.origin,
        home,
        cwd,
      });
      // The word is only in the file: it got here through a call, its result, and a second turn.
      expect(output).toContain("the-secret-word-is-manifold");
      const over = s.lines
        .filter(({ model }) => model === agent.model)
        .map(({ socket }) => socket !== undefined);
      expect(new Set(over)).toEqual(new Set([agent.sockets === "served"]));
      const used = s.h.simulator.ledger.query({ model: agent.model });
      expect(used.some((entry) => entry.calls.length > 0)).toBe(true);
      expect(await s.h.store.money.audit()).toEqual([]);
    },
  );
});
