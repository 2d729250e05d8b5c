import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { published, root } from "../../tools/pack/workspaces.ts";
import { bytesOf, chunksOf, filesOf, loadedWith } from "../support/browser-bundle.ts";

const LIMIT = 53 * 1024;

/** What a browser is sent of a module with these words, and the files that it is made of. */
async function bundle(words: string) {
  const chunks = loadedWith(await chunksOf(words));
  return { bytes: bytesOf(chunks), files: filesOf(chunks) };
}

describe("a bundle", () => {
  it("of two codecs has less than 53 KB, and of the others nothing but their facts", async () => {
    const { bytes, files } = await bundle(`export { chatstyle, msgstyle } from "@manifold-gateway/core";`);
    expect(bytes).toBeLessThan(LIMIT);
    const others = files.filter((file) => /protocols\/(responses|genstyle|native)\//.test(file));
    expect(others.map((file) => file.replace(/.*\//, ""))).toEqual(["facts.ts", "facts.ts", "facts.ts"]);
  });

  it("of what a client uses holds no file of zod", async () => {
    const { files } = await bundle(`
      export { chatstyle, msgstyle, TranslatedReply } from "@manifold-gateway/core";
      export { askOf, check } from "@manifold-gateway/core/capability";
      export { callsOf, checkEmbed, embedCodecs, joinEmbed } from "@manifold-gateway/core/operations";
      export * from "@manifold-gateway/core/plan";
    `);
    expect(files).toContain("packages/core/src/plan/plan-request.ts");
    expect(files.filter((file) => file.includes("/zod/"))).toEqual([]);
  });

  it("of what a server reads its configuration by holds zod", async () => {
    const { files } = await bundle(`export * from "@manifold-gateway/core/configuration";`);
    expect(files.some((file) => file.includes("/zod/"))).toBe(true);
  });

  it.each([
    "",
    "/capability",
    "/codec",
    "/embeddings",
    "/ir",
    "/moderation",
    "/plan",
    "/rerank",
    "/schema",
    "/speech",
    "/transcription",
  ])("of the whole entry point @manifold-gateway/core%s holds no file of zod", async (door) => {
    const { files } = await bundle(`export * from "@manifold-gateway/core${door}";`);
    expect(files.filter((file) => file.includes("/zod/"))).toEqual([]);
  });

  it("of an import whose values nobody uses is empty", async () => {
    const { files } = await bundle(`import "@manifold-gateway/core";`);
    expect(files).toEqual([]);
  });
});

/** Modules that do something when they are loaded, and why they may. */
const DOES: Record<string, string> = {
  "packages/gateway/src/http/tally.ts": "fills its own table",
  "packages/media/src/prober/worker.ts": "is a thread, imported by nobody",
  "packages/store/src/engine/checkpoint-thread.ts": "is a thread, imported by nobody",
  "packages/store/src/engine/heartbeat-thread.ts": "is a thread, imported by nobody",
  "packages/store/src/engine/reader-thread.ts": "is a thread, imported by nobody",
};

const DECLARATION = /^(Import|Export|Variable|Function|Class|TS)/;

/** The sources of the packages that say that they have no side effects. */
const silent = published
  .filter(({ manifest }) => manifest.sideEffects === false)
  .flatMap(({ folder }) =>
    readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, "src", name)),
  )
  .map((file) => ({ file: relative(root, file), text: readFileSync(file, "utf8") }));

it("packages without side effects do nothing when they are loaded, which bundlers rely on", () => {
  const doing = silent.filter(({ text }) =>
    parseAst(text, { lang: "ts" }).body.some((statement) =>
      statement.type === "ImportDeclaration"
        ? statement.specifiers.length === 0
        : !DECLARATION.test(statement.type),
    ),
  );
  expect(doing.map(({ file }) => file).sort()).toEqual(Object.keys(DOES).sort());
});

it("only calls are marked as pure: a bundler ignores any other mark, and Rollup warns of it", () => {
  const vain = silent.filter(({ text }) => /@__PURE__ \*\/(?! (new )?[\w.]+\()/.test(text));
  expect(vain.map(({ file }) => file)).toEqual([]);
});

it("every package but the command says that it has no side effects", () => {
  const saying = published.filter(({ manifest }) => manifest.sideEffects !== false);
  expect(saying.map(({ manifest }) => manifest.name)).toEqual(["manifold-gateway"]);
});
