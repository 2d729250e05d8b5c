import { join, relative } from "node:path";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";
import { root } from "../../tools/pack/workspaces.ts";

/** The entry points that build for a browser. */
const doors = ["fetch-transport", "presets", "provider", "routing"].map(
  (door) => `@manifold-gateway/providers/${door}`,
);

/** Libraries that a program without credentials of clouds, or without connections of its own, never loads. */
const heavy = ["aws4fetch", "ipaddr.js", "jose", "ky", "undici"];

/** The chunks of a browser's bundle of everything that a module exports. */
async function chunksOf(door: string): Promise<Rolldown.OutputChunk[]> {
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
        load: (id) => (id === entry ? `export * from "${door}";` : undefined),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((one) => one.type === "chunk");
}

const filesOf = (chunks: readonly Rolldown.OutputChunk[]): string[] =>
  chunks.flatMap(({ modules }) => Object.keys(modules)).map((file) => relative(root, file));

/** The chunks that a page loads at once: the entry, and what it imports without waiting for a call. */
function loadedFirst(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const first = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of first)
    for (const one of chunks) if (imports.includes(one.fileName)) first.add(one);
  return [...first];
}

it.each(doors)("%s builds for a browser without anything of Node", async (door) => {
  const chunks = await chunksOf(door);
  const files = filesOf(chunks);
  expect(files.some((file) => file.startsWith("packages/providers/src/"))).toBe(true);
  expect(files.filter((file) => /node:|__vite-browser-external/.test(file))).toEqual([]);
  const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  expect(outside.filter((name) => chunks.every(({ fileName }) => fileName !== name))).toEqual([]);
});

it.each(doors)("%s has no library for clouds or connections in what a page loads first", async (door) => {
  const first = loadedFirst(await chunksOf(door));
  const libraries = filesOf(first).filter((file) =>
    heavy.some((library) => file.includes(`node_modules/${library}/`)),
  );
  expect(libraries).toEqual([]);
  expect(filesOf(first).filter((file) => /\/identity\/(?!key-file|lazy-identity)/.test(file))).toEqual([]);
});
