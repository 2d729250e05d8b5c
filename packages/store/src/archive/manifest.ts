import { createHash } from "node:crypto";
import type { Month } from "../engine/month.ts";
import type { Objects } from "../objects/objects.ts";
import { ArchiveError } from "./error.ts";
import { openObject, type Part } from "./parts.ts";
import type { AccountTotals, ArchiveTotals } from "./totals.ts";

/** The list of a month's files, with the sums over them. The hash of its bytes stands for the month. */
export interface Manifest {
  format: 1;
  /** The name of the database: several may share an object store. */
  database: string;
  month: Month;
  /** The archived month before it, and the hash of that month's manifest; absent for the first. */
  previous?: { month: Month; sha256: string };
  records: Part[];
  movements: Part[];
  totals: ArchiveTotals & {
    /** The number of charges of a single record, and of those of several. */
    charges: number;
    batches: number;
  };
  /** The sums of each account, in the order of their ids. */
  accounts: AccountTotals[];
}

/** The size limit of a manifest in bytes: each account takes some hundred. */
const LARGEST = 256 * 1024 * 1024;

const folderOf = (database: string, month: Month): string => `archive/${database}/${month}`;
const manifestKey = (database: string, month: Month): string => `${folderOf(database, month)}/manifest.json`;

/** The key of a month's part. */
export const partKey = (database: string, month: Month, kind: "records" | "movements", number: number) =>
  `${folderOf(database, month)}/${kind}-${String(number).padStart(4, "0")}.zst`;

/** Stores a manifest; resolves to its hash. Equal manifests have equal bytes. */
export async function writeManifest(objects: Objects, manifest: Manifest): Promise<string> {
  const bytes = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`);
  const key = manifestKey(manifest.database, manifest.month);
  const options = { mediaType: "application/json", length: bytes.byteLength };
  const { sha256 } = await objects.put(key, bytes, options).catch((error: unknown) => {
    throw new ArchiveError(`${key} could not be stored: ${String(error)}`, { cause: error });
  });
  return sha256;
}

/** Reads the manifest of a month. Throws `ArchiveError` unless its hash is `sha256`. */
export async function readManifest(
  objects: Objects,
  { database, month, sha256 }: { database: string; month: Month; sha256: string },
): Promise<Manifest> {
  const key = manifestKey(database, month);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await openObject(objects, key)) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > LARGEST) throw new ArchiveError(`${key} is damaged: it is larger than ${LARGEST} bytes`);
  }
  const bytes = Buffer.concat(chunks);
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (hash !== sha256)
    throw new ArchiveError(`${key} is damaged: it has the SHA-256 ${hash}, the database ${sha256}`);
  return JSON.parse(bytes.toString("utf8")) as Manifest;
}
