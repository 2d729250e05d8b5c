// Starts the gateway without a configuration file on a free port, has it answer as it would a first user, and stops it:
// node tools/try-service.mjs [--console] [--check 'shell command'] -- COMMAND…
// Plain JavaScript: any Node runs it.
import { execSync, spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

const KEY = "development-key-0123456789abcdef";

const { values, positionals } = parseArgs({
  options: { console: { type: "boolean" }, check: { type: "string" } },
  allowPositionals: true,
});
const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", MANIFOLD_DEV_KEY: KEY };
const [command, ...words] = positionals;
const server = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"] });
const ended = once(server, "exit");
let output = "";

/** Its address, once it prints that it listens. */
const listening = new Promise((resolve, reject) => {
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      const [, origin] = /listens on (http:\S+)/.exec(output) ?? [];
      if (origin) resolve(origin);
    });
  ended.then(([code]) => reject(new Error(`it ended with ${code}`)));
});

async function ask(url, init) {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text;
}

try {
  const origin = await listening;
  await ask(`${origin}/health`);
  const chat = await ask(`${origin}/api/chatstyle/v1/chat/completions`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: "sim-messages", messages: [{ role: "user", content: "Hello" }] }),
  });
  if (!chat.includes('"You said: Hello"')) throw new Error(`not what the model says: ${chat}`);
  if (values.console) await ask(`${origin}/console/`);
  if (values.check)
    execSync(values.check, { env: { ...env, PORT: new URL(origin).port }, stdio: ["ignore", 1, 2] });
  server.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code} at SIGTERM`);
} catch (error) {
  server.kill("SIGKILL");
  console.error(output, error);
  process.exitCode = 1;
}
