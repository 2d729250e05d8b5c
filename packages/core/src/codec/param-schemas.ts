import { factOf, type ParamKind, type paramFacts } from "../ir/params.ts";
import {
  array,
  boolean,
  type Infer,
  nullish,
  number,
  recordOf,
  type Schema,
  string,
  union,
} from "../schema/node.ts";
import type { ParamRow, ParamTable } from "./params.ts";

/** The schema of each kind, for rows that have none of their own. */
const kinds = {
  number: number(),
  boolean: boolean(),
  text: string(),
  texts: array(string()),
  weights: recordOf(number()),
  labels: recordOf(string()),
} as const satisfies Record<ParamKind, Schema>;

/** A list of texts, or one text alone. */
export const textOrTexts = union([kinds.text, kinds.texts]);

type ValueOf<Row extends ParamRow> = Infer<
  Row extends { schema: infer S extends Schema }
    ? S
    : (typeof kinds)[(typeof paramFacts)[Row["name"]]["kind"]]
>;
type PathOf<Row extends ParamRow> =
  | Row["wire"]
  | (Row extends { also: readonly (infer Also extends string)[] } ? Also : never);
type Below<Path extends string, Under extends string> = Under extends ""
  ? Path
  : Path extends `${Under}.${infer Member}`
    ? Member
    : never;
type Direct<Path extends string> = Path extends `${string}.${string}` ? never : Path;

/** The schemas of the members of a record that hold parameters. */
export type ParamShape<Table extends ParamTable, Under extends string> = {
  [Row in Table[number] as Direct<Below<PathOf<Row>, Under>>]: ReturnType<typeof nullish<ValueOf<Row>>>;
};

/**
 * The members of a wire's record that hold parameters, for the schema of the record. `record` is its path, such as
 * `generationConfig`; by default the request itself. `null` is absent.
 */
export function paramShape<Table extends ParamTable, Under extends string = "">(
  table: Table,
  record?: Under,
): ParamShape<Table, Under> {
  const start = record === undefined ? "" : `${record}.`;
  const members = table.flatMap(({ name, wire, also = [], schema = kinds[factOf(name).kind] }: ParamRow) =>
    [wire, ...also]
      .filter((path) => path.startsWith(start) && !path.slice(start.length).includes("."))
      .map((path) => [path.slice(start.length), nullish(schema)]),
  );
  return Object.fromEntries(members) as ParamShape<Table, Under>;
}
