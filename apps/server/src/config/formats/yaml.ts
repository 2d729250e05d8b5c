import { createRequire } from "node:module";
import type { Document, Node, Pair, YAMLMap } from "yaml";
import { ConfigError } from "../read.ts";
import { type Source, SyntaxProblem } from "./source.ts";

type Yaml = typeof import("yaml");

const require = createRequire(import.meta.url);

/** Loads the library only for a file in YAML, so that other starts are fast. */
const load = (): Yaml => require("yaml");

/** Reads YAML 1.2, with anchors and `<<`. */
export function readYaml(text: string): Source {
  const yaml = load();
  const document = yaml.parseDocument(text, { merge: true, prettyErrors: false });
  const [first] = [...document.errors, ...document.warnings];
  if (first) throw new SyntaxProblem(first.pos[0], first.message);
  return {
    value: read(document),
    offsetOf: (path) => offsetIn(yaml, document, path),
    withValues(values) {
      const edited = document.clone() as Document;
      for (const [path, value] of values) put(edited, path, value);
      return edited.toString({ lineWidth: 0 });
    },
  };
}

function read(document: Document): unknown {
  try {
    // A file with only comments is an empty configuration.
    return document.toJS() ?? {};
  } catch (error) {
    throw new SyntaxProblem(0, (error as Error).message);
  }
}

function offsetIn(yaml: Yaml, document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let around = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    const inside = yaml.isAlias(node) ? node.resolve(document) : node;
    const item = yaml.isSeq(inside) ? inside.items[Number(step)] : undefined;
    const pair = yaml.isMap(inside) ? pairsOf(yaml, inside).get(String(step)) : undefined;
    const range = ((pair ? pair.key : item) as Node | undefined)?.range;
    if (!range) return around;
    [around] = range;
    node = pair ? pair.value : item;
  }
  return around;
}

const pairMaps = new WeakMap<YAMLMap, Map<string, Pair>>();

/** The pairs of a mapping by their names. */
function pairsOf(yaml: Yaml, map: YAMLMap): Map<string, Pair> {
  const nameOf = (key: unknown): string => String(yaml.isScalar(key) ? key.value : key);
  const found = pairMaps.get(map) ?? new Map(map.items.map((pair) => [nameOf(pair.key), pair]));
  pairMaps.set(map, found);
  return found;
}

function put(document: Document, path: readonly (string | number)[], value: unknown): void {
  try {
    document.setIn(path, document.createNode(value));
  } catch {
    throw new ConfigError(`${path.join(".")}: cannot be changed inside an alias; change it by hand`);
  }
}
