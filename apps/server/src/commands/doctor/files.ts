import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { openMedia } from "../../media.ts";
import { type Check, fail, messageOf, type Outcome, ok, seconds, warn } from "./check.ts";

const TEXT = "Written by manifold doctor.\n";
const MINUTE = 60_000;

/** Writes a file where outputs are kept, reads it again, by its link where that leads elsewhere, and removes it. */
export const files: Check = async ({ config, now, serving }) => {
  const place = config.objects.replace(/\?.*/, "");
  const folder = config.objects.startsWith("file:") ? config.objects.slice("file:".length) : undefined;
  // One that is made here would belong to the person who looks, who need not be the service's user.
  if (folder !== undefined && !existsSync(folder)) return [missing("files", folder)];
  const begun = now();
  const media = await openMedia(config).catch((error: unknown) => error as Error);
  if (media instanceof Error) return [fail("files", media.message, "mend 'objects'; a start would end here")];
  const { objects, links } = media.options;
  const key = `doctor/${randomUUID()}.txt`;
  try {
    media.settle(serving ?? "http://127.0.0.1");
    await objects.put(key, new TextEncoder().encode(TEXT), { mediaType: "text/plain" });
    const link = await objects.link(key, { expires: now() + MINUTE, mediaType: "text/plain" });
    // Links to a folder are answered by the gateway itself, which need not run.
    const text = links ? await readText(objects, key) : await fetchText(link);
    if (text !== TEXT)
      return [fail("files", `${place}: what was read is not what was written`, "mend 'objects'")];
    if (links && !links.open(link, now()).ok)
      return [fail("files", `${place}: its own link does not open`, "report this: it is a defect")];
    return [ok("files", `${place}: written, linked, read and removed in ${seconds(now() - begun)}`)];
  } catch (error) {
    return [
      fail(
        "files",
        `${place}: ${messageOf(error)}`,
        "let the service write there, and callers reach its links",
      ),
    ];
  } finally {
    await objects.remove(key).catch(() => undefined);
    await media.close();
  }
};

/** A folder that a start makes, where the one above it lets it. */
export function missing(check: string, folder: string): Outcome {
  const above = nearest(resolve(folder));
  try {
    accessSync(above, constants.W_OK);
    if (!statSync(above).isDirectory()) throw new Error("not a folder");
    return ok(check, `${folder} is not there yet, and a start makes it`);
  } catch {
    return fail(check, `${folder} cannot be made in ${above}`, "let the service's user write there");
  }
}

/** A folder, or the first above it that is there. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

type Objects = NonNullable<Awaited<ReturnType<typeof openMedia>>["options"]["objects"]>;

async function readText(objects: Objects, key: string): Promise<string> {
  const found = await objects.get(key);
  return found ? new Response(found.stream as ReadableStream<Uint8Array>).text() : "";
}

async function fetchText(link: string): Promise<string> {
  const answer = await fetch(link, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`the link to a file is answered with status ${answer.status}`);
  return answer.text();
}

const GIB = 1024 ** 3;
const LITTLE = GIB;
const TOO_LITTLE = GIB / 10;

/** The space beside the database and the files, where they are on a disk of this machine. */
export const disk: Check = ({ config }) =>
  [
    ["sqlite:", config.store, dirname],
    ["file:", config.objects, (folder: string) => folder],
  ].flatMap(([scheme, place, folderOf]) => {
    const [prefix, text] = [scheme as string, place as string];
    if (!text.startsWith(prefix) || text === "sqlite::memory:") return [];
    return [spaceIn((folderOf as typeof dirname)(text.slice(prefix.length)))];
  });

function spaceIn(folder: string): Outcome {
  const { bavail, bsize } = statfsSync(nearest(resolve(folder)));
  const free = bavail * bsize;
  const found = `${folder}: ${(free / GIB).toFixed(1)} GiB are free`;
  if (free < TOO_LITTLE) return fail("disk", found, "make room: a full disk stops every request");
  return free < LITTLE ? warn("disk", found, "make room soon") : ok("disk", found);
}
