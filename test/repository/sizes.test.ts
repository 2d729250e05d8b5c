import { describe, expect, it } from "vitest";
import { bytesOf, chunksOf, filesOf, loadedWith } from "../support/browser-bundle.ts";

const core = "packages/core/src";
const text = [
  "packages/client/src/client.ts",
  "packages/client/src/all-parts.ts",
  "packages/client/src/text/text.ts",
  "packages/providers/src/presets/load.ts",
  "packages/providers/src/presets/makers.ts",
  `${core}/protocols/chatstyle/caller.ts`,
  `${core}/protocols/msgstyle/provider.ts`,
];
const client = await chunksOf(`export { createFetch } from "@manifold-gateway/client";`);

/** A client in a single file, with halves of codecs. */
const bare = (callers: readonly string[], upstreams: readonly string[]): Promise<typeof client> =>
  chunksOf(
    `
    export { createFetch } from "@manifold-gateway/client/bare";
    ${callers.map((name) => `export { caller as ${name}Caller } from "@manifold-gateway/core/${name}/caller";`).join("\n")}
    ${upstreams.map((name) => `export { provider as ${name} } from "@manifold-gateway/core/${name}/provider";`).join("\n")}
    `,
    { single: true },
  );

/** Libraries that only programs with identities, configuration or connections of their own need. */
const LIBRARIES = /node_modules\/(jose|aws4fetch|zod|undici)\//;

/** Budgets of bytes with gzip. A change that breaks one has to be worth it, or to be loaded later. */
describe("the budget of a client", () => {
  it("at its start is only what loads the rest with the first request", () => {
    expect(bytesOf(loadedWith(client))).toBeLessThan(1_300);
  });

  it("before it knows the protocols of a call has no code of a protocol or of a request's plan", () => {
    const first = loadedWith(client, text.slice(0, 2));
    expect(bytesOf(first)).toBeLessThan(25_900);
    expect(
      filesOf(first).filter((file) =>
        /\/(translate\/fit-|dialect\/[^k]|protocols\/\w+\/(en|de)code-)/.test(file),
      ),
    ).toEqual([]);
  });

  it("in a call with text from one protocol to another leaves out schemas, checks and other protocols", () => {
    const loaded = loadedWith(client, text);
    expect(bytesOf(loaded)).toBeLessThan(105_500);
    const files = filesOf(loaded);
    expect(files).toContain(`${core}/translate/translate.ts`);
    expect(files.filter((file) => /capability\/check|dialect\/(normalize|to-dialect)/.test(file))).toEqual(
      [],
    );
    expect(
      files.filter((file) =>
        /protocols\/(responses|genstyle|native|conversestyle)\/(?!facts|params)/.test(file),
      ),
    ).toEqual([]);
    // Of two protocols, only one direction each.
    expect(
      files.filter((file) => /chatstyle\/encode-(request|messages|tools)|chatstyle\/decode-reply/.test(file)),
    ).toEqual([]);
    expect(
      files.filter((file) => /msgstyle\/decode-(request|messages|tools)|msgstyle\/encode-reply/.test(file)),
    ).toEqual([]);
  });

  it("in a call with tools loads the dialects of schemas besides", () => {
    const loaded = loadedWith(client, [...text, `${core}/dialect/index.ts`]);
    expect(bytesOf(loaded)).toBeLessThan(115_700);
  });

  it.each(["rerank", "moderate"])(
    "in a call to %s leaves out zod, media and the protocols of providers",
    (operation) => {
      const loaded = loadedWith(client, [
        ...text.slice(0, 2),
        `packages/client/src/operations/${operation}.ts`,
        ...text.slice(3, 6),
      ]);
      expect(bytesOf(loaded)).toBeLessThan(90_500);
      const files = filesOf(loaded);
      expect(files).toContain(`${core}/operations/plan.ts`);
      expect(
        files.filter(
          (file) =>
            LIBRARIES.test(file) ||
            /operations\/(image|video)\/|msgstyle\/encode|\/encode-request/.test(file),
        ),
      ).toEqual([]);
    },
  );

  it.each([
    ["speak", ["speech/speak.ts"], "speak", "transcription"],
    ["transcribe", ["transcription/transcribe.ts", "transcription/read-form.ts"], "transcription", "speak"],
  ])("in a call to %s leaves out zod and the media of jobs", (_, entries, room, other) => {
    const loaded = loadedWith(client, [
      ...text.slice(0, 2),
      ...entries.map((entry) => `packages/client/src/${entry}`),
      ...text.slice(3, 6),
    ]);
    expect(bytesOf(loaded)).toBeLessThan(116_300);
    const files = filesOf(loaded);
    expect(files).toContain(`${core}/operations/${room}/plan.ts`);
    const outside = new RegExp(`operations/(image|video|${other})/`);
    expect(files.filter((file) => LIBRARIES.test(file) || outside.test(file))).toEqual([]);
  });

  it("in one file with two protocols has no other, and no library of identities", async () => {
    const files = await bare(["chatstyle"], ["msgstyle"]);
    expect(bytesOf(files)).toBeLessThan(77_000);
    const names = filesOf(files);
    const others = names.filter((file) =>
      /protocols\/(responses|genstyle|native|conversestyle)\//.test(file),
    );
    expect(others.filter((file) => !/\/(facts|params)\.ts$/.test(file))).toEqual([]);
    expect(names.filter((file) => LIBRARIES.test(file))).toEqual([]);
    // A dynamic import anywhere, even in code that falls away, makes the bundler wrap each module in a function.
    expect(names.filter((file) => file.includes("rolldown/runtime"))).toEqual([]);
  });

  it("in one file with both directions of two protocols stays small", async () => {
    const names = ["chatstyle", "msgstyle"];
    expect(bytesOf(await bare(names, names))).toBeLessThan(92_400);
  });

  it("in one file with all protocols has no library of identities either", async () => {
    const names = ["chatstyle", "responses", "msgstyle", "genstyle"];
    const files = await bare(names, [...names, "native"]);
    expect(bytesOf(files)).toBeLessThan(125_500);
    expect(filesOf(files).filter((file) => LIBRARIES.test(file))).toEqual([]);
  });
});

it.each([
  "core",
  "core/plan",
  "core/check",
  "core/load",
  "core/dialect",
  "client",
  "client/bare",
  "client/models",
])("%s builds for a browser without anything of Node", async (door) => {
  const files = filesOf(await chunksOf(`export * from "@manifold-gateway/${door}";`));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => /node:|__vite-browser-external/.test(file))).toEqual([]);
});
