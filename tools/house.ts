// Measures how the sources are laid out: `npm run house` prints a row for each package.
//
// A room is a folder at the root of a package's sources with all that is below it, or a single file at that root. An
// arrow leads from a room to another one that it imports, types included. A knot is a set of rooms that all reach each
// other. The rooms are ordered so that few arrows lead up: only knots keep all of them from leading down.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const IMPORT = /\bfrom\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

type Graph = Map<string, Set<string>>;

/** The folders of sources, one for each package and application. */
const sources = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name, "src")),
);

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(join(ROOT, folder), join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

const roomOf = (file: string): string => file.split("/")[0]!;

function roomsOf(folder: string, files: string[]): Graph {
  const rooms: Graph = new Map(files.map((file) => [roomOf(file), new Set()]));
  for (const file of files) {
    const text = readFileSync(join(ROOT, folder, file), "utf8");
    for (const [, a, b, c] of text.matchAll(IMPORT)) {
      const target = normalize(join(dirname(file), (a ?? b ?? c)!)).replaceAll("\\", "/");
      if (files.includes(target) && roomOf(target) !== roomOf(file))
        rooms.get(roomOf(file))!.add(roomOf(target));
    }
  }
  return rooms;
}

/** Everything that a room reaches by arrows. */
function reach(graph: Graph, from: string): Set<string> {
  const reached = new Set<string>();
  const next = [...graph.get(from)!];
  for (let room = next.pop(); room !== undefined; room = next.pop())
    if (!reached.has(room)) {
      reached.add(room);
      next.push(...graph.get(room)!);
    }
  return reached;
}

/** The sizes of the knots, the largest first. */
function knotsOf(graph: Graph): number[] {
  const reached = new Map([...graph.keys()].map((room) => [room, reach(graph, room)]));
  const counted = new Set<string>();
  const sizes: number[] = [];
  for (const [room, others] of reached) {
    if (counted.has(room) || !others.has(room)) continue;
    const knot = [...others].filter((other) => reached.get(other)!.has(room));
    for (const member of knot) counted.add(member);
    sizes.push(knot.length);
  }
  return sizes.sort((a, b) => b - a);
}

/** Arrows that lead up, in an order that takes the room with most arrows out and fewest in first. */
function arrowsUp(graph: Graph): number {
  const left = new Set(graph.keys());
  const degree = (room: string): number => {
    const out = [...graph.get(room)!].filter((other) => left.has(other)).length;
    const into = [...left].filter((other) => graph.get(other)!.has(room)).length;
    return into === 0 ? Number.POSITIVE_INFINITY : out === 0 ? Number.NEGATIVE_INFINITY : out - into;
  };
  let up = 0;
  while (left.size > 0) {
    const [first] = [...left].sort((a, b) => degree(b) - degree(a));
    left.delete(first!);
    up += [...left].filter((other) => graph.get(other)!.has(first!)).length;
  }
  return up;
}

const table = sources.map((folder) => {
  const files = filesOf(folder);
  const graph = roomsOf(folder, files);
  const lines = files.map((file) => readFileSync(join(ROOT, folder, file), "utf8").split("\n").length - 1);
  return {
    package: dirname(folder).split("/").pop(),
    lines: lines.reduce((sum, count) => sum + count, 0),
    files: files.length,
    longest: Math.max(...lines),
    loose: files.filter((file) => !file.includes("/")).length,
    rooms: graph.size,
    arrows: [...graph.values()].reduce((sum, targets) => sum + targets.size, 0),
    up: arrowsUp(graph),
    "largest knot": knotsOf(graph)[0] ?? 0,
  };
});
console.table(table);
