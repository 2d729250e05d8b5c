import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type AnyCodec, codecs, createProtocols, type Protocol, protocols } from "@manifold-gateway/core";
import { embedWires } from "@manifold-gateway/core/operations";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Names that no prose and no other table has: words of several parts. */
const isTelling = (name: string): boolean => /[a-z](?:_[a-z]|[A-Z])/.test(name);

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The names of members in a source: quoted, of an access, or of a record. */
const membersIn = (source: string): string[] =>
  [...source.matchAll(/["'`/]([A-Za-z_]+)["'`]|\.([a-z]+_[a-z_]+)\b|\b([a-z]+_[a-z_]+)\??:/g)].flatMap(
    ([, ...found]) => found.filter((name) => name !== undefined),
  );

/** The folders of the wires of embeddings and media, which have snake case in common. */
const folders = [
  ...["embed", "speech/speechstyle"].map((name) => `packages/core/src/operations/${name}`),
  ...["image", "video", "speech"].map((kind) => `packages/providers/src/adapters/${kind}`),
];

const names = new Set(
  [
    ...Object.values(codecs).flatMap(({ facts }) => [
      ...[facts.system, facts.turns, facts.bound, facts.mediaTypes, facts.pictures].flat(),
      ...[facts.toolData, facts.essential, Object.keys(facts.files), Object.keys(facts.toolValues)].flat(),
    ]),
    ...Object.values(embedWires).flatMap(({ facts }) =>
      [...facts.others, ...Object.values(facts.params).flat()].flatMap((path) => path.split("/")),
    ),
    ...folders
      .flatMap(filesIn)
      .flatMap((file) => membersIn(read(file)))
      .filter((name) => /^[a-z]+(_[a-z]+)+$/.test(name)),
  ].filter(isTelling),
);

/**
 * Where a wire's members belong: its codec or adapter, the surfaces that serve it, and the sentences in which its
 * servers refuse them. The conventions of OpenTelemetry have the names of some as well.
 */
const homes =
  /^packages\/(core\/src\/(protocols|wire|operations|capability|dialect|family)\/|gateway\/src\/(surfaces|socket|openapi)\/|gateway\/src\/(http\/codes|observe\/names)|providers\/src\/(adapters|refusals\/phrases)\/)/;
/** Names that the native interface and the service's own records have as well. */
const ours = new Set(["invalid_request", "mediaType", "provider_rejected", "too_large"]);

const misplaced = (file: string, source: string): string[] =>
  homes.test(file)
    ? []
    : membersIn(source)
        .filter((name) => names.has(name) && !ours.has(name))
        .map((name) => `${file}: ${name}`);

const sources = ["core", "gateway", "providers"].flatMap((name) => filesIn(`packages/${name}/src`));

describe("the facts of the wires", () => {
  it("members of the wires are named only by their facts, beside the codecs and surfaces themselves", () => {
    expect(sources.flatMap((file) => misplaced(file, read(file)))).toEqual([]);
  });

  it.each([
    ["text", 'value["cachedContent"]'],
    ["embeddings", 'places = ["outputDimensionality"]'],
    ["embeddings", 'others = ["encoding_format"]'],
    ["images", "body.output_compression"],
    ["videos", "{ camera_fixed: false }"],
    ["speech", "{ loudness_rate?: number }"],
  ])("a member of a wire of %s that is named elsewhere is found, with its place: %s", (_, source) => {
    const file = "packages/gateway/src/routing/losses.ts";
    expect(misplaced(file, source)).toEqual([expect.stringContaining(`${file}: `)]);
    expect(misplaced("packages/core/src/operations/embed/codec.ts", source)).toEqual([]);
  });

  it("every protocol has a letter of its own for seals", () => {
    const letters = Object.values(codecs).map(({ facts }) => facts.letter);
    expect(new Set(letters).size).toBe(letters.length);
    for (const letter of letters) expect(letter).toMatch(/^[a-z]$/);
  });

  it("a protocol whose name or letter another has is refused", () => {
    const named = (protocol: string, letter: string): AnyCodec => ({
      ...codecs.chatstyle,
      protocol: protocol as Protocol,
      facts: { ...codecs.chatstyle.facts, letter },
    });
    const withOne = (codec: AnyCodec) => () => createProtocols([...Object.values(codecs), codec]);
    expect(withOne(named("chatstyle", "z"))).toThrow("two protocols called 'chatstyle'");
    expect(withOne(named("other", codecs.msgstyle.facts.letter))).toThrow("facts.letter of 'other'");
    expect(withOne(named("other", "Z"))).toThrow("it must be one of a to z but c, ");
    expect(Object.keys(withOne(named("other", "z"))().codecs)).toEqual([...Object.keys(codecs), "other"]);
    expect(Object.keys(protocols.codecs)).toEqual(Object.keys(codecs));
  });
});
