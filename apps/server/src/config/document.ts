import { extname } from "node:path";
import { readJson } from "./formats/json.ts";
import { type Source, SyntaxProblem } from "./formats/source.ts";
import { readYaml } from "./formats/yaml.ts";
import { ConfigError, readText } from "./read.ts";

/** A place in a file. Both numbers begin with 1. */
export interface Place {
  line: number;
  column: number;
}

/** The content of a configuration file, with the place of each field. */
export interface ConfigDocument extends Pick<Source, "value" | "withValues"> {
  /** The place of a field, or of its nearest ancestor in the file. */
  placeOf(path: readonly PropertyKey[]): Place;
}

const readers: Record<string, typeof readJson> = {
  ".json": readJson,
  ".jsonc": readJson,
  ".yaml": readYaml,
  ".yml": readYaml,
};

/** Chooses the format by a file's extension, else, as for a mounted secret, by its first characters. */
const readerOf = (file: string, text: string): typeof readJson =>
  readers[extname(file).toLowerCase()] ?? (/^\s*(?:\{|\/[/*])/.test(text) ? readJson : readYaml);

/** Reads a configuration file: JSON with or without comments, or YAML. */
export function readDocument(file: string, text = readText(file)): ConfigDocument {
  const reader = readerOf(file, text);
  const placeAt = placesIn(text);
  try {
    const { value, withValues, offsetOf } = reader(text);
    return { value, withValues, placeOf: (path) => placeAt(offsetOf(path)) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const kind = reader === readJson ? "JSON" : "YAML";
    throw new ConfigError(
      `${describePlace(file, placeAt(error.offset))}: not valid ${kind}: ${error.message}`,
    );
  }
}

/** A place in the form that editors and terminals link to. */
export const describePlace = (file: string, { line, column }: Place): string => `${file}:${line}:${column}`;

/** Converts indexes in a text to places. */
function placesIn(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let line = 0;
    for (let step = 2 ** Math.ceil(Math.log2(starts.length)); step >= 1; step /= 2)
      if ((starts[line + step] ?? Number.POSITIVE_INFINITY) <= offset) line += step;
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
