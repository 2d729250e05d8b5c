import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import type { Generation, GenerationFilter, Generations } from "@manifold-gateway/store";
import { z } from "zod";
import { momentOf } from "../http/moments.ts";
import { COLUMNS, toHeading, toLines } from "./csv.ts";
import { toListed } from "./records.ts";

/** Records of one query: it takes the database, which also serves requests, a few milliseconds. */
const PAGE = 200;

/** Facts that an exported record gets from elsewhere. */
interface ExportContext {
  /** Key names by key id. */
  keyNames: ReadonlyMap<string, string>;
  /** The name of its account, in an export of several. */
  accountName?: string;
  /** Only operators see the names of providers. */
  isForOperator: boolean;
}

/** A record in an export, with the name of its key and, for operators, its provider. */
export function toExported(
  generation: Generation,
  { keyNames, accountName, isForOperator }: ExportContext,
): JsonObject {
  const keyName = keyNames.get(generation.keyId ?? "");
  const { provider } = (generation.route ?? {}) as JsonObject;
  return {
    ...toListed(generation),
    ...(keyName !== undefined && { keyName }),
    ...(accountName !== undefined && { accountName }),
    ...(isForOperator && provider !== undefined && { provider }),
  };
}

/** Reads all records that match a filter, newest first, one page at a time: memory holds a single page. */
export async function* pagesOf(
  generations: Pick<Generations, "after">,
  filter: GenerationFilter,
  facts: ExportContext,
): AsyncGenerator<JsonObject[]> {
  let after: Generation | undefined;
  do {
    const place = after && { after };
    const page = await generations.after(filter, { ...place, limit: PAGE, isWithRequest: false });
    if (page.length > 0) yield page.map((one) => toExported(one, facts));
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after);
}

const lostOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).filter(isObject).map(({ path, why }) => `${String(path)} ${String(why)}`);

/** Replaces lists by values for the last columns of the sheet: the number of attempts, and a text for each loss. */
const flattened = (record: JsonObject): JsonObject => {
  const { attempts, losses, replyLosses, ...rest } = record;
  return {
    ...rest,
    ...(Array.isArray(attempts) && { attempts: attempts.length }),
    losses: [...lostOf(losses), ...lostOf(replyLosses)].join("; "),
  };
};

/** A file format of an export: its content type, its beginning, and the text of a page of records. */
interface Form {
  type: string;
  head(columns: readonly string[]): string;
  rows(records: readonly JsonObject[], columns: readonly string[]): string;
}

/** The columns of a sheet, of one account or of several, for its holder or for operators. */
export const columnsOf = (file: { isForOperator: boolean; isOfAll?: boolean }): string[] => [
  ...COLUMNS,
  "keyName",
  ...(file.isOfAll ? ["userId", "accountName"] : []),
  ...(file.isForOperator ? ["provider"] : []),
  "attempts",
  "losses",
];

/** The forms of an export. */
export const FORMS = {
  csv: {
    type: "text/csv; charset=utf-8",
    head: toHeading,
    rows: (records, columns) => toLines(records.map(flattened), columns),
  },
  jsonl: {
    type: "application/jsonl; charset=utf-8",
    head: () => "",
    rows: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  },
} as const satisfies Record<string, Form>;

/** The choice of a form in a query. */
export const formatQuery = z.enum(Object.keys(FORMS) as [keyof typeof FORMS]).default("csv");

const DATE_LENGTH = 10;
const dayOf = (moment: number): string => momentOf(moment).slice(0, DATE_LENGTH);
const LONGEST = 150;

/** Names a file after its contents: the filters, and the first and last day of the range. */
export function fileNameOf(
  filters: Readonly<Record<string, string>>,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  extension: string,
): string {
  const parts = [
    "requests",
    ...Object.entries(filters).map(([name, value]) => `${name}-${value}`),
    from === undefined ? undefined : `from-${dayOf(from)}`,
    // The range ends before `to`.
    to === undefined ? undefined : `to-${dayOf(to - 1)}`,
  ];
  const name = parts.filter((part) => part !== undefined).join("_");
  return `${name.replaceAll(/[^\w.-]+/g, "-").slice(0, LONGEST)}.${extension}`;
}
