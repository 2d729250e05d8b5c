import { relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../tools/pack/workspaces.ts";
import { chunksOf, loadedWith } from "../support/browser-bundle.ts";

/** The entry points that build for a browser. */
const doors = ["fetch-transport", "presets", "provider", "routing"].map(
  (door) => `@manifold-gateway/providers/${door}`,
);

/** Libraries that a program without credentials of clouds, or without connections of its own, never loads. */
const heavy = ["aws4fetch", "ipaddr.js", "jose", "ky", "undici"];

/** The chunks of a browser's bundle of everything that a module exports. */
const exportsOf = (door: string): ReturnType<typeof chunksOf> => chunksOf(`export * from "${door}";`);

/** All files of chunks, also those of which nothing is left. */
const filesOf = (chunks: Awaited<ReturnType<typeof chunksOf>>): string[] =>
  chunks.flatMap(({ modules }) => Object.keys(modules)).map((file) => relative(root, file));

it.each(doors)("%s builds for a browser without anything of Node", async (door) => {
  const chunks = await exportsOf(door);
  const files = filesOf(chunks);
  expect(files.some((file) => file.startsWith("packages/providers/src/"))).toBe(true);
  expect(files.filter((file) => /node:|__vite-browser-external/.test(file))).toEqual([]);
  const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  expect(outside.filter((name) => chunks.every(({ fileName }) => fileName !== name))).toEqual([]);
});

it.each(doors)("%s has no library for clouds or connections in what a page loads first", async (door) => {
  const first = loadedWith(await exportsOf(door));
  const libraries = filesOf(first).filter((file) =>
    heavy.some((library) => file.includes(`node_modules/${library}/`)),
  );
  expect(libraries).toEqual([]);
  expect(filesOf(first).filter((file) => /\/identity\/(?!key-file|lazy-identity)/.test(file))).toEqual([]);
});
