import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createLinks, type Objects, openDisk, serveLink } from "@manifold-gateway/store";
import { listen } from "../../../support/listen.ts";
import { NOW, type Place } from "./place.ts";

/** A folder, and a small server that answers its links. */
export async function makeDisk(): Promise<Place & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "manifold-objects-"));
  let now = NOW;
  const clock = () => now;
  const server = createServer(async (request, response) => {
    const answer = await serveLink(
      objects,
      links,
      {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: new Headers(request.headers as HeadersInit),
      },
      now,
    );
    response.writeHead(answer.status, answer.headers);
    if (answer.ok && answer.body) Readable.fromWeb(answer.body).pipe(response);
    else response.end(answer.ok ? "" : answer.message);
  });
  const { origin: address, close } = await listen(server);
  const links = createLinks({ base: address, secrets: [{ id: "1", secret: "s".repeat(32) }] });
  const objects: Objects = await openDisk({ folder, links, now: clock });
  const files = async (part: (name: string) => boolean) => {
    const names = (await readdir(folder, { recursive: true })).filter(part);
    const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
    return stats.filter((one) => one?.isFile() === true).map((one) => one?.size ?? 0);
  };
  return {
    folder,
    objects,
    open: (limit) => openDisk({ folder, links, now: clock, limit }),
    setNow: (value) => {
      now = value;
    },
    landed: async () => (await files(() => true)).reduce((sum, size) => sum + size, 0),
    buffer: 128 * 1024,
    leftovers: async () => (await files((name) => name.startsWith("tmp"))).length,
    follow: (link, init) => fetch(link, init),
    async drop() {
      await objects.close();
      await close();
      await rm(folder, { recursive: true });
    },
  };
}
