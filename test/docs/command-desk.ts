import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Misuse } from "../../apps/server/src/commands/misuse.ts";
import { EXIT, runLine } from "../../apps/server/src/commands/program.ts";
import { environmentOf } from "../../apps/server/src/config/environment.ts";
import { describeError } from "../../apps/server/src/error-message.ts";

/** Runs commands that a shell gives it in this process, one at a time: most of what one takes is its start. */
export interface CommandDesk {
  /** The text of the program `manifold`, which hands its command line, environment and input to the desk. */
  shim: string;
  close(): void;
}

export async function openCommandDesk(folder: string): Promise<CommandDesk> {
  const calls = join(folder, "calls");
  mkdirSync(calls);
  const socket = join(folder, "desk.sock");
  const home = process.cwd();
  const server = createServer(async (request, response) => {
    const call = request.url!;
    const read = (part: string): string => readFileSync(join(call, part), "utf8");
    const items = (part: string): string[] => read(part).split("\0").slice(0, -1);
    const env = Object.fromEntries(items("env").map((line) => line.split(/=(.*)/s, 2)));
    let output = "";
    const print = (text: string): void => {
      output += `${text}\n`;
    };
    process.chdir(env.PWD);
    const code = await runLine(items("words"), {
      print,
      isTerminal: false,
      read: async () => read("input").split("\n", 1)[0]!,
      environment: async (config) => ({ env: environmentOf(env, config) }),
    }).catch((error: unknown) => {
      const isMisuse = error instanceof Misuse;
      print(isMisuse ? error.message : describeError(error));
      return isMisuse ? EXIT.misused : EXIT.failed;
    });
    process.chdir(home);
    writeFileSync(join(call, "output"), output);
    response.end(`exit ${code ?? EXIT.done}`);
  });
  server.listen(socket);
  await once(server, "listening");
  return {
    shim: `#!/usr/bin/env bash
set -euo pipefail
call=$(mktemp -d "${calls}/XXXXXX")
env -0 > "$call/env"
printf '%s\\0' "$@" > "$call/words"
cat > "$call/input"
ending=$(command -p curl --silent --show-error --unix-socket "${socket}" "http://desk$call")
cat "$call/output"
$ending
`,
    close: () => void server.close(),
  };
}
