import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const WEB = join(import.meta.dirname, "../../packages/console/dist/web");
const KB = 1_024;
const missing = existsSync(WEB) ? undefined : "the console is not built";

/** The files that a file needs before it runs: what it imports, and what those import; not what it may load later. */
function needed(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(WEB, "assets", file), "utf8");
  for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w-]+\.js)["']/g))
    needed(name, found);
  return found;
}

/** What a file loads once it is used: other modules, and a worker. */
const later = (file: string): string[] =>
  [
    ...readFileSync(join(WEB, "assets", file), "utf8").matchAll(
      /\bimport\(["'`]\.\/([\w-]+\.js)["'`]\)|["'`]\/console\/assets\/([\w-]+\.js)["'`]/g,
    ),
  ].map(([, module, worker = ""]) => module ?? worker);

const compressed = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(join(WEB, "assets", `${file}.gz`)).size, 0);

const chunkOf = (name: string): string => basename(globSync(`assets/${name}-*.js`, { cwd: WEB })[0] ?? "");

describe.skipIf(missing)(`the size of the console ${missing ?? ""}`, () => {
  const index = missing ? "" : readFileSync(join(WEB, "index.html"), "utf8");
  const linked = (ending: string): string[] => [
    ...new Set(
      [...index.matchAll(/assets\/([\w-]+\.\w+)/g)].flatMap(([, file = ""]) =>
        file.endsWith(ending) ? [file] : [],
      ),
    ),
  ];
  const first = () => new Set(linked(".js").flatMap((file) => [...needed(file)]));

  it("loads first at most 90 KB of script and 15 KB of styles, compressed", () => {
    const home = needed(chunkOf("account-home"), needed(chunkOf("home"), first()));
    expect(home.size).toBeGreaterThan(2);
    expect(compressed(home) / KB).toBeLessThan(90);
    expect(compressed(linked(".css")) / KB).toBeLessThan(15);
  });

  it("loads at most 125 KB more for the playground, with all codecs, and no codec in the page", () => {
    const before = needed(chunkOf("home"), first());
    const screen = [...needed(chunkOf("play"))].filter((file) => !before.has(file));
    const play = [...screen, ...screen.flatMap(later)].flatMap((file) => [...needed(file)]);
    const own = [...new Set(play)].filter((file) => !before.has(file));
    expect(compressed(own) / KB).toBeLessThan(125);
    const hasCodecs = (file: string): boolean =>
      readFileSync(join(WEB, "assets", file), "utf8").includes("functionCallingConfig");
    const inPage = [...before, ...screen].filter(hasCodecs);
    expect([own.filter(hasCodecs).length, inPage]).toEqual([1, []]);
  });

  it("loads at most 20 KB more for any other screen", () => {
    const before = first();
    const screens = [
      ...readFileSync(join(WEB, "../../web/src/screens.ts"), "utf8").matchAll(/screens\/([\w-]+)\.tsx/g),
    ];
    const others = screens.map(([, name = ""]) => name).filter((name) => name !== "play");
    const sizes = [...others, "operator-home"].map((name) => {
      const own = [...needed(chunkOf(name))].filter((file) => !before.has(file));
      return [name, compressed(own) / KB] as const;
    });
    expect(sizes.length).toBeGreaterThan(15);
    expect(sizes.filter(([, size]) => size > 20)).toEqual([]);
  });
});
