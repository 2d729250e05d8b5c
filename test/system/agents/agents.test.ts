import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SocketStage, stage } from "../../gateway/socket/stage.ts";
import { KEY } from "../../support/holder.ts";
import { model } from "../../support/text.ts";
import { type Agent, agents, OLDER } from "./table.ts";

/**
 * Coding agents as people run them, headless, each on a model of a protocol that is foreign to it. An agent takes
 * part where its command is on the path; `AGENTS_PATH` names a further folder, such as the `.bin` of an npm install.
 */
const folders = [process.env.AGENTS_PATH ?? "", ...(process.env.PATH ?? "").split(delimiter)].filter(Boolean);

function find(command: string): string | undefined {
  return folders
    .map((folder) => join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

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

function run(agent: Agent, file: string, prompt: string, home: string, cwd: string): Promise<string> {
  const options = {
    home,
    base: agent.sockets === "refused" ? s.h.origin : s.origin,
    key: KEY,
    model: agent.model,
  };
  for (const [path, text] of Object.entries(agent.files?.(options) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env = { PATH: process.env.PATH ?? "", HOME: home, TERM: "dumb", ...agent.env(options) };
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      agent.args(prompt, options),
      { cwd, env, timeout: 90_000, maxBuffer: 1 << 24 },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    );
    child.stdin?.end();
  });
}

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
      const output = await run(agent, file as string, `Read the note ${agent.read(note)}`, home, cwd);
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
