import { hash } from "node:crypto";
import { fdatasync, openSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import Database from "better-sqlite3";
import { H3, toNodeHandler } from "h3";
import { Agent } from "undici";
import { serve } from "./serve.ts";

/**
 * What a gateway comes to that is written with care and does the least of what one has to: it looks the key up, reads
 * the model and the usage, and writes one record, the account and the key in one group commit, which the end of the
 * answer waits for. It checks nothing, holds nothing, translates nothing and has no limits.
 */
const [upstream, file] = process.argv.slice(2) as [string, string];
const database = new Database(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = NORMAL");
database.exec(`CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER) STRICT;
  CREATE TABLE spend (key TEXT PRIMARY KEY, spent INTEGER) STRICT;
  CREATE TABLE records (id INTEGER PRIMARY KEY, key TEXT, model TEXT, input INTEGER, output INTEGER, cost INTEGER) STRICT;
  INSERT INTO accounts VALUES ('acc', 1000000000000);
  INSERT INTO spend VALUES ('key', 0);`);
const log = openSync(`${file}-wal`, "r+");
const record = database.prepare(
  "INSERT INTO records (key, model, input, output, cost) VALUES (?, ?, ?, ?, ?)",
);
const account = database.prepare("UPDATE accounts SET balance = balance - ? WHERE id = ?");
const spend = database.prepare("UPDATE spend SET spent = spent + ? WHERE key = ?");

interface End {
  row: [key: string, model: string, input: number, output: number, cost: number];
  written(): void;
}

let waiting: End[] = [];
let isWriting = false;
const write = database.transaction((ends: End[]) => {
  for (const { row } of ends) {
    record.run(...row);
    account.run(row[4], "acc");
    spend.run(row[4], row[0]);
  }
});
function commit(): void {
  if (isWriting || waiting.length === 0) return;
  isWriting = true;
  const ends = waiting;
  waiting = [];
  write(ends);
  fdatasync(log, () => {
    isWriting = false;
    for (const { written } of ends) written();
    commit();
  });
}
const settle = (row: End["row"]): Promise<void> =>
  new Promise((written) => {
    waiting.push({ row, written });
    setImmediate(commit);
  });

const keys = new Map([[hash("sha256", "bench-key-0123456789"), "key"]]);
const agent = new Agent({ pipelining: 1 });
const { origin } = new URL(upstream);
const NOTHING = Buffer.alloc(0);
const HANDLED = Symbol.for("h3.handled");
const count = (text: string, name: string): number =>
  Number(new RegExp(`"${name}":\\s*(\\d+)`).exec(text)?.[1] ?? 0);

function relay(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const key = keys.get(hash("sha256", String(req.headers["x-api-key"])));
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks);
      const { model } = JSON.parse(body.toString()) as { model: string };
      let isStream = false;
      /** The end of the answer, which is handed on once it is written down. */
      let held: Buffer = NOTHING;
      let tail = "";
      agent.dispatch(
        {
          origin,
          path: "/v1/chat/completions",
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        },
        {
          onRequestStart() {},
          onResponseStart(_, status, headers) {
            const type = String(headers["content-type"]);
            isStream = type.startsWith("text/event-stream");
            res.writeHead(status, { "content-type": type });
          },
          onResponseData(controller, chunk) {
            const before = held;
            held = isStream && !chunk.includes("[DONE]") ? NOTHING : chunk;
            tail = (tail + chunk.toString("latin1")).slice(-1_000);
            const ready =
              held !== NOTHING ? before : before === NOTHING ? chunk : Buffer.concat([before, chunk]);
            if (ready.length === 0 || res.write(ready)) return;
            controller.pause();
            res.once("drain", () => controller.resume());
          },
          onResponseEnd() {
            const [input, output] = [count(tail, "prompt_tokens"), count(tail, "completion_tokens")];
            settle([key ?? "", model, input, output, input + 2 * output]).then(() => {
              res.end(held);
              done();
            }, fail);
          },
          onResponseError: (_, error) => fail(error),
        },
      );
    });
  });
}

interface Called {
  runtime: { node: { req: IncomingMessage; res: ServerResponse } };
}

const app = new H3().post("/api/chatstyle/v1/chat/completions", async (event) => {
  const { req, res } = (event as unknown as Called).runtime.node;
  await relay(req, res).catch(() => res.destroy());
  return HANDLED;
});
serve(toNodeHandler(app) as never);
