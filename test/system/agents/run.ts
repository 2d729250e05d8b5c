import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { KEY } from "../../support/holder.ts";
import type { Agent } from "./table.ts";

const folders = [process.env.AGENTS_PATH ?? "", ...(process.env.PATH ?? "").split(delimiter)].filter(Boolean);

/** The file of a command, if it is installed. */
export function find(command: string): string | undefined {
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

/** Runs an agent against a gateway with a prompt; resolves to what it prints. */
export function run(
  agent: Agent,
  file: string,
  prompt: string,
  { base, home, cwd }: { base: string; home: string; cwd: string },
): Promise<string> {
  const options = { home, base, key: KEY, model: agent.model };
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
