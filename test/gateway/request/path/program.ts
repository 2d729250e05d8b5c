// Prints how many functions of the product one chat completion runs: relayed without translation, unary, on SQLite. The
// first two requests of the process are not measured, since they run what happens only once. Of the next ones, the
// shortest counts: the others also ran timers, or checked the cached credential again.
// `npm run path -- list` names the functions by file.
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { startStage } from "../../../support/stage.ts";
import { CHAT, modelOf } from "../../../support/text.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PRODUCT = /^(?:packages\/(?:core|gateway|store|providers)|apps\/server)\/src\//;

let logged: (() => void) | undefined;
const stage = await startStage({ log: { info: () => logged?.(), warn() {}, error() {} } });

/** Sends a chat completion, and waits for its log line: the last step of a request. */
async function complete(): Promise<void> {
  const isLogged = new Promise<void>((resolve) => {
    logged = resolve;
  });
  const body = { model: modelOf("chatstyle"), messages: [{ role: "user", content: "Name the months." }] };
  await stage.json(CHAT, body);
  await isLogged;
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await complete();
await complete();

/** The functions by file that the next request runs. */
async function measure(): Promise<Map<string, string[]>> {
  await session.post("Profiler.takePreciseCoverage");
  await complete();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = new Map<string, string[]>();
  for (const { url, functions } of result) {
    const file = url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)).replaceAll("\\", "/") : "";
    if (!PRODUCT.test(file)) continue;
    const names = functions
      .filter(({ ranges }) => ranges[0]!.count > 0)
      .map(({ functionName }) => functionName || "(anonymous)");
    if (names.length > 0) ran.set(file, names);
  }
  return ran;
}

const sizeOf = (ran: Map<string, string[]>): number => [...ran.values()].flat().length;

let shortest = await measure();
for (let further = 0; further < 20; further++) {
  const ran = await measure();
  if (sizeOf(ran) < sizeOf(shortest)) shortest = ran;
}
await stage.close();

if (process.argv.includes("list"))
  for (const [file, names] of [...shortest].sort())
    console.log(`${names.length} ${file}: ${names.join(", ")}`);
console.log(JSON.stringify({ functions: sizeOf(shortest), files: shortest.size }));
