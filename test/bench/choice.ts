import { availableParallelism } from "node:os";

/** The measurements that there are, as the command line names them. */
export const MEASUREMENTS = {
  small: "small JSON: 2 KB in, 1 KB out, 32 connections",
  burst: "streams of 200 events in one go, 16 at a time",
  paced: "streams of 200 events, one every 10 ms, 50 at a time",
  body: "1 MB bodies with an image, 8 connections",
  translate: "chat to messages",
  mix: "four shapes in turn on one process",
  latency: "at 500 requests a second",
  cold: "a new process",
  memory: "5,000 open streams",
  disk: "what the database grows by, for a request of 2 KB",
  growth: "small requests while the database grows",
  codecs: "codecs alone, in memory",
  observer: "what being watched costs, in memory",
} as const;
export type Measurement = keyof typeof MEASUREMENTS;

/** One way to run the gateway. */
export interface Variant {
  name: string;
  /** The server as it is run, or the library in a server of Node, billed (`embedded`) or not. */
  kind: "billed" | "embedded" | "unbilled";
  store: "sqlite" | "postgres";
  accounts: number;
  processes: number;
  /** What is kept of requests: `full` is the default of a server. */
  records: "full" | "none";
}

/** What the variants differ in: the words of each, the first of which counts where none is said. */
export const AXES = {
  kind: ["billed", "embedded", "unbilled"],
  store: ["sqlite", "postgres"],
  keys: ["one-key", "many-keys"],
  processes: ["single", "auto", "three"],
  contents: ["contents", "no-contents"],
} as const;
type Axis = keyof typeof AXES;

/** The gateway's processes by their word, with so many cores. */
const PROCESSES: Record<string, (cores: number) => number> = {
  single: () => 1,
  auto: (cores) => cores,
  three: () => 3,
};

/** Accounts with a key each, of `many-keys`. */
const MANY = 1_000;

export interface Choice {
  measurements: Measurement[];
  variants: Variant[];
  /** Gateways of the benchmark's own that stand beside the dispatching proxy. */
  beside: "careful"[];
  /** Few requests: to see that it works, not how fast. */
  isQuick: boolean;
}

/** What the words of a command line choose; `all` stands for every word. Throws for a word that there is not. */
export function choose(words: readonly string[], cores = availableParallelism()): Choice {
  const measurements = Object.keys(MEASUREMENTS) as Measurement[];
  const axes = Object.keys(AXES) as Axis[];
  const known = new Set<string>([
    "all",
    "quick",
    "careful",
    ...measurements,
    ...axes.flatMap((axis) => AXES[axis]),
  ]);
  const odd = words.find((word) => !known.has(word));
  if (odd !== undefined) throw new Error(`no word '${odd}'; there are ${[...known].join(", ")}, hostile`);
  const isAll = words.includes("all");
  const chosen = measurements.filter((word) => words.includes(word));
  const of = (axis: Axis): readonly string[] => {
    const said = AXES[axis].filter((word) => isAll || words.includes(word));
    return said.length > 0 ? said : AXES[axis].slice(0, 1);
  };
  let variants: Record<Axis, string>[] = [{} as Record<Axis, string>];
  for (const axis of axes)
    variants = of(axis).flatMap((word) => variants.map((variant) => ({ ...variant, [axis]: word })));
  // What is not billed keeps nothing anyway, and only the server runs in several processes.
  const [contents] = of("contents");
  variants = variants.filter(
    (words) =>
      (words.kind !== "unbilled" || words.contents === contents) &&
      (words.kind === "billed" || words.processes === "single"),
  );
  return {
    measurements: chosen.length > 0 ? chosen : measurements.filter((name) => name !== "growth"),
    variants: variants.map((words) => variantOf(words, cores)),
    beside: isAll || words.includes("careful") ? ["careful"] : [],
    isQuick: words.includes("quick"),
  };
}

function variantOf(
  { kind, store, keys, processes: word, contents }: Record<Axis, string>,
  cores: number,
): Variant {
  const processes = PROCESSES[word!]!(cores);
  const more = [
    ...(store === "postgres" ? ["Postgres"] : []),
    ...(keys === "many-keys" ? [`${MANY} keys`] : []),
    ...(processes > 1 ? [`${processes} processes`] : []),
    ...(kind !== "unbilled" && contents === "no-contents" ? ["contents not kept"] : []),
  ];
  return {
    name: [kind, ...more].join(", "),
    kind: kind as Variant["kind"],
    store: store as Variant["store"],
    accounts: keys === "many-keys" ? MANY : 1,
    processes,
    records: contents === "no-contents" ? "none" : "full",
  };
}
