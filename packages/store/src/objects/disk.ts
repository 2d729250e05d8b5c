import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkDisk } from "./check-options.ts";
import { guard, ObjectFault } from "./fault.ts";
import { assertKey, assertMediaType } from "./key.ts";
import type { Links } from "./links.ts";
import { type Measured, measure } from "./measure.ts";
import { type ByteRange, OBJECT_LIMIT, type ObjectInfo, type Objects } from "./objects.ts";
import { readFileRange } from "./read.ts";
import { readTrailer, type Trailer, writeTrailer } from "./trailer.ts";

/** The folder of `openDisk`, and what makes its links. */
export interface DiskOptions {
  /** The folder of all objects, created if it is missing. Several processes may share it. */
  folder: string;
  /** Makes the links, which this service then has to serve by `serveLink`. */
  links: Links;
  /** The most bytes of one object. Default: 1 GiB. */
  limit?: number;
  /** The clock, in Unix milliseconds. */
  now?: () => number;
}

const TEMPORARY = "tmp";
/** The age without a write after which a temporary file counts as left by a dead process. */
const ABANDONED_MS = 24 * 3600 * 1000;

/**
 * Objects as files: `<folder>/<2 hex>/<62 hex>`, named by the SHA-256 of the key, so that no key can choose a path, and
 * no two names differ only in letter case. Each file is the object's bytes followed by a trailer. Rejects with a
 * `TypeError` that names the options that are wrong.
 */
export async function openDisk(options: DiskOptions): Promise<Objects> {
  checkDisk(options);
  const { folder, links, limit = OBJECT_LIMIT, now = Date.now } = options;
  const temporary = join(folder, TEMPORARY);
  await guard(async () => {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    await removeAbandoned(temporary, Date.now() - ABANDONED_MS);
  });

  const place = (key: string): { shard: string; path: string } => {
    assertKey(key);
    const name = createHash("sha256").update(key).digest("hex");
    const shard = join(folder, name.slice(0, 2));
    return { shard, path: join(shard, name.slice(2)) };
  };

  return {
    async put(key, source, { mediaType, length }) {
      const measured = measure(source, limit, length);
      try {
        assertMediaType(mediaType);
        const { shard, path } = place(key);
        const draft = join(temporary, randomUUID());
        try {
          const result = await writeDraft(draft, measured, { key, mediaType, modified: now() });
          await guard(() => publish(draft, folder, shard, path));
          return result;
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
      } finally {
        measured.discard();
      }
    },

    async get(key, { range } = {}) {
      const found = await openObject(place(key).path, key);
      if (!found) return undefined;
      const { handle, info } = found;
      const part = range && clip(range, info.size);
      if (range && !part) {
        await handle.close();
        throw new ObjectFault("bad_range");
      }
      const { start, end } = part ?? { start: 0, end: info.size - 1 };
      return { ...info, stream: readFileRange(handle, start, end), ...(part && { range: part }) };
    },

    async head(key) {
      const found = await openObject(place(key).path, key);
      await found?.handle.close();
      return found?.info;
    },

    async remove(key) {
      const { path } = place(key);
      await guard(() => rm(path, { force: true }));
    },

    listOlder: (than) => listOlder(folder, than),
    link: async (key, terms) => links.make(key, terms, now()),
    close: async () => {},
  };
}

async function writeDraft(draft: string, measured: Measured, facts: Omit<Trailer, "sha256">) {
  const handle = await guard(() => open(draft, "wx", 0o600));
  try {
    for await (const chunk of measured.chunks) await guard(() => handle.writeFile(chunk));
    const result = measured.result();
    await guard(async () => {
      await handle.writeFile(writeTrailer({ ...facts, sha256: result.sha256 }));
      // Retention reads the file's modification time, so that it opens only old files.
      await handle.utimes(facts.modified / 1000, facts.modified / 1000);
      await handle.sync();
    });
    return result;
  } finally {
    await handle.close();
  }
}

/** Renames a complete file to its final name, and syncs the folders so that the name is durable. */
async function publish(draft: string, folder: string, shard: string, path: string): Promise<void> {
  const made = await mkdir(shard, { recursive: true, mode: 0o700 });
  await rename(draft, path);
  await syncFolder(shard);
  if (made !== undefined) await syncFolder(folder);
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder, and keeps names durable by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function openObject(
  path: string,
  key: string,
): Promise<{ handle: FileHandle; info: ObjectInfo } | undefined> {
  return guard(async () => {
    const handle = await openFile(path);
    if (!handle) return undefined;
    try {
      const trailer = await readTrailer(handle);
      if (trailer?.key !== key) throw new ObjectFault("damaged");
      const { size, mediaType, modified, sha256 } = trailer;
      return { handle, info: { key, size, mediaType, modified, etag: `"${sha256.slice(0, 32)}"` } };
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

function clip({ start, end }: ByteRange, size: number): ByteRange | undefined {
  if (!(start >= 0 && start < size && end >= start)) return undefined;
  return { start, end: Math.min(end, size - 1) };
}

async function* listOlder(folder: string, than: number) {
  for await (const shard of await guard(() => opendir(folder))) {
    if (!/^[0-9a-f]{2}$/.test(shard.name)) continue;
    for await (const { name } of await guard(() => opendir(join(folder, shard.name)))) {
      const entry = await guard(() => readEntry(join(folder, shard.name, name), than));
      if (entry) yield entry;
    }
  }
}

async function readEntry(path: string, than: number) {
  // A file that was removed meanwhile, or is damaged, is skipped; a damaged one is reported when it is read.
  const stats = await stat(path).catch(() => undefined);
  if (!stats || stats.mtimeMs >= than) return undefined;
  const handle = await openFile(path);
  try {
    const trailer = handle && (await readTrailer(handle));
    return trailer && { key: trailer.key, modified: trailer.modified, size: trailer.size };
  } finally {
    await handle?.close();
  }
}

async function removeAbandoned(folder: string, before: number): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && stats.mtimeMs < before) await rm(path, { force: true });
  }
}
