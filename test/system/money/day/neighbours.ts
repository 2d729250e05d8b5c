import type { IncomingMessage } from "node:http";
import { listen } from "../../../support/listen.ts";

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

/** Figures that no answer can have. */
const IMPOSSIBLE = ["-1", "1e12", '"many"', "0.5", "null"];
const FIGURE = /"(prompt_tokens|completion_tokens|total_tokens)":\d+/g;

/** A relay before a provider that spoils the figures of each answer, in one way after another. */
export function startLiar(origin: string): ReturnType<typeof listen> {
  let turn = 0;
  return listen(async (request, response) => {
    const { host: _, connection: _c, "content-length": _l, ...headers } = request.headers;
    const wrong = IMPOSSIBLE[turn++ % IMPOSSIBLE.length]!;
    try {
      const answer = await fetch(origin + request.url, {
        method: request.method!,
        headers: headers as Record<string, string>,
        body: new Uint8Array(await bytesOf(request)),
      });
      const text = await answer.text();
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(text.replace(FIGURE, (_, name) => `"${name}":${wrong}`));
    } catch {
      // The provider broke off.
      response.destroy();
    }
  });
}

/** A guard that does what the texts say, or nothing in time. */
export function startGuard(): ReturnType<typeof listen> {
  return listen(async (request, response) => {
    const { type, texts } = JSON.parse(String(await bytesOf(request)));
    const all: string = texts.map(({ text }: { text: string }) => text).join("\n");
    const isReply = type === "guard.reply";
    if (all.includes(isReply ? "replysilent" : "silentme")) return;
    const masked = isReply ? "replymask" : "maskme";
    response.writeHead(200, { "content-type": "application/json" });
    if (all.includes(isReply ? "replyrefuse" : "refuseme"))
      response.end(JSON.stringify({ decision: "refuse", reason: "no such word" }));
    else if (all.includes(masked)) {
      const changed = texts.map(({ place, text }: { place: string; text: string }) => ({
        place,
        text: text.replaceAll(masked, "***"),
      }));
      response.end(JSON.stringify({ decision: "mask", texts: changed }));
    } else response.end(JSON.stringify({ decision: "allow" }));
  });
}
