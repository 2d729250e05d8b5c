import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A file as it is sent: its bytes, compressed forms of them, and how long it can be kept. */
export interface ConsoleFile {
  /** The content type: `text/html; charset=utf-8`. */
  type: string;
  /** The contents. */
  bytes: Uint8Array;
  /** The contents as compressed at the build, by content encoding. */
  packed: { br?: Uint8Array; gzip?: Uint8Array };
  /** Changes with its bytes. */
  tag: string;
  /** Its name changes with its bytes, so that it can be kept for good. */
  isLasting: boolean;
}

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};

const BUILT = fileURLToPath(new URL("../dist/web/", import.meta.url));

/**
 * The files of the console by their paths, to be served under `/console/`: the `console.files` of a gateway. Nothing
 * where they were not built (`npm run build -w packages/console`).
 */
export function consoleFiles(folder = BUILT): Map<string, ConsoleFile> | undefined {
  const names = namesIn(folder);
  if (!names.has("index.html")) return undefined;
  const read = (name: string): Uint8Array | undefined =>
    names.has(name) ? readFileSync(join(folder, name)) : undefined;
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)];
    files.set(name, {
      type,
      bytes,
      packed: { ...(br && { br }), ...(gzip && { gzip }) },
      tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
      isLasting: name.startsWith("assets/"),
    });
  }
  return files;
}

function namesIn(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Set(
      files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/")),
    );
  } catch {
    return new Set();
  }
}
