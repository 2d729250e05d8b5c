import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "@manifold-gateway/gateway/admin";
import { storeUrl } from "../../config/store.ts";
import { openMedia } from "../../media-store.ts";
import { type Check, fail, type Outcome, ok, seconds, warn } from "./check.ts";

const TEXT = "Written by manifold doctor.\n";
const MINUTE = 60_000;

/** Writes a file to the store of outputs, reads it (by its link, if that leads to another service), and removes it. */
export const files: Check = async ({ config, now, serving }) => {
  const place = config.objects.replace(/\?.*/, "");
  const folder = config.objects.startsWith("file:") ? config.objects.slice("file:".length) : undefined;
  // A folder created here would belong to the person who runs the check, not to the service's user.
  if (folder !== undefined && !existsSync(folder)) return [missing("files", folder)];
  const begun = now();
  const media = await openMedia(config).catch((error: unknown) => error as Error);
  if (media instanceof Error)
    return [fail("files", media.message, "correct 'objects'; a start would end here")];
  const { objects, links } = media.options;
  const key = `doctor/${randomUUID()}.txt`;
  try {
    media.settle(serving ?? "http://127.0.0.1");
    await objects.put(key, new TextEncoder().encode(TEXT), { mediaType: "text/plain" });
    const link = await objects.link(key, { expires: now() + MINUTE, mediaType: "text/plain" });
    // The gateway itself answers links to a folder, and may not be running.
    const text = links ? await readText(objects, key) : await fetchText(link);
    if (text !== TEXT)
      return [fail("files", `${place}: what was read is not what was written`, "correct 'objects'")];
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

/** The outcome for a missing folder, which a start creates if it may write to the one above. */
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

/** The folder, or its nearest ancestor that exists. */
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

/** Checks the folder in which calls are written down before they go out. */
export const calls: Check = ({ config }) => {
  const store = storeUrl(config.store);
  if (store === "sqlite::memory:") return [];
  const folder =
    config.calls ?? (store.startsWith("sqlite:") ? `${store.slice("sqlite:".length)}-calls` : "./data/calls");
  if (!existsSync(folder)) return [missing("calls", folder)];
  try {
    if (!statSync(folder).isDirectory()) throw new Error("it is no folder");
    accessSync(folder, constants.W_OK);
    return [ok("calls", `${folder} can be written`)];
  } catch (error) {
    return [
      warn(
        "calls",
        `${folder} cannot be written: ${messageOf(error)}`,
        "name another folder in 'calls', or let the service's user write there: busy keys are slower without",
      ),
    ];
  }
};

const GIB = 1024 ** 3;
const LITTLE = GIB;
const TOO_LITTLE = GIB / 10;

/** Checks the free space for the database and the files, if they are on this machine's disks. */
export const disk: Check = ({ config }) =>
  [
    ["sqlite:", storeUrl(config.store), dirname],
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
