import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { root } from "../../tools/pack/workspaces.ts";

type Chunk = Rolldown.OutputChunk;

/** The chunks of a browser's bundle of a module with these words; with `single`, one file. */
export async function chunksOf(words: string, { single = false } = {}): Promise<Chunk[]> {
  const entry = join(root, "entry.ts");
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["manifold"] },
    plugins: [
      {
        name: "entry",
        enforce: "pre",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? words : undefined),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: "strict",
        ...(single && { output: { codeSplitting: false } }),
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((one) => one.type === "chunk");
}

/** The files that chunks hold something of, from the root of the repository. */
export const filesOf = (chunks: readonly Chunk[]): string[] =>
  chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([file, { renderedLength }]) =>
      renderedLength > 0 ? [relative(root, file)] : [],
    ),
  );

/** The chunks that are loaded at once: the entry and those of the given files, with what they import. */
export function loadedWith(chunks: readonly Chunk[], files: readonly string[] = []): Chunk[] {
  const wanted = files.flatMap((file) => {
    const id = join(root, file);
    return chunks.find(({ facadeModuleId, modules }) => facadeModuleId === id || id in modules) ?? [];
  });
  const loaded = new Set([...chunks.filter(({ isEntry }) => isEntry), ...wanted]);
  if (loaded.size !== files.length + 1) throw new Error(`Some of ${files.join(", ")} are no chunks.`);
  for (const { imports } of loaded)
    for (const one of chunks) if (imports.includes(one.fileName)) loaded.add(one);
  return [...loaded];
}

/** The size of chunks as they are sent, each compressed by itself. */
export const bytesOf = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
