import { type RawBuilder, sql } from "kysely";
import type { Generation } from "./generation.ts";

/**
 * The statements that write a generation: `begin` its record, `checkpoint` its usage so far, `resize` another hold,
 * `end` its end. A generation that begins and ends in one commit is written by a single statement with the columns of
 * both.
 */
type Writer = "begin" | "checkpoint" | "resize" | "end";

/** The effect of a writer: `keep` leaves the stored value unchanged if the new one is null. */
type Effect = "set" | "keep";

interface GenerationColumn extends Partial<Record<Writer, Effect>> {
  /** The type in the database; `?` if it can be null. */
  type: "TEXT" | "TEXT?" | "JSON?" | "BIGINT" | "BIGINT?";
  /** The name of its value among those given to statements and returned by an end. */
  value: string;
  /** The member of the record that has it. */
  member?: keyof Generation;
  /** An end returns it: it decides what is charged, freed or counted. */
  count?: true;
  /** The trace of calls has it. Traced columns are stored in this order: a new one comes after them. */
  trace?: true;
}

/**
 * The columns of a generation. The type of a row, the inserts, the updates, what an end returns and the record that
 * callers read are made from this table; a new column needs no other place but a migration and its value.
 */
export const GENERATION_COLUMNS = {
  id: { type: "TEXT", value: "id", member: "id", begin: "set", trace: true },
  account_id: { type: "TEXT", value: "account", member: "accountId", begin: "set", count: true, trace: true },
  key_id: { type: "TEXT?", value: "key", member: "keyId", begin: "set", count: true, trace: true },
  modality: { type: "TEXT", value: "modality", member: "modality", begin: "set", count: true, trace: true },
  model: { type: "TEXT", value: "model", member: "model", begin: "set", count: true, trace: true },
  created_at: { type: "BIGINT", value: "at", member: "createdAt", begin: "set", count: true, trace: true },
  /** The price by which it is charged, as of the request. */
  price: {
    type: "JSON?",
    value: "price",
    member: "price",
    trace: true,
    begin: "set",
    checkpoint: "keep",
    resize: "set",
    end: "keep",
  },
  /** The name of the surface that received it; older versions wrote none. */
  surface: { type: "TEXT?", value: "surface", member: "surface", begin: "set", count: true, trace: true },
  /** A JSON object of texts. */
  tags: { type: "JSON?", value: "tags", member: "tags", begin: "set", count: true, trace: true },
  end_user: { type: "TEXT?", value: "user", member: "user", begin: "set", trace: true },

  status: { type: "TEXT", value: "status", member: "status", begin: "set", end: "set" },
  route: { type: "JSON?", value: "route", member: "route", begin: "set", resize: "keep", end: "keep" },
  usage: { type: "JSON?", value: "usage", member: "usage", end: "set" },
  checkpoint: { type: "JSON?", value: "checkpoint", member: "checkpoint", checkpoint: "set" },
  cost: { type: "BIGINT?", value: "cost", member: "cost", end: "set" },
  duration_ms: { type: "BIGINT?", value: "duration", member: "durationMs", end: "set" },
  dispatched_at: { type: "BIGINT?", value: "dispatched", member: "dispatchedAt", begin: "set" },
  /** The amount of its own hold; without a lease. */
  held: { type: "BIGINT", value: "held", member: "held", begin: "set", resize: "set", count: true },
  /** The windows of the key's caps in which it was admitted. */
  daily: { type: "TEXT", value: "daily", begin: "set", count: true },
  weekly: { type: "TEXT", value: "weekly", begin: "set", count: true },
  monthly: { type: "TEXT", value: "monthly", begin: "set", count: true },
  /** The store that made the hold; null for a job. */
  owner: { type: "TEXT?", value: "owner", begin: "set" },
  /** The lease from which it was admitted, while it is pending, and the amount reserved in it. */
  lease: { type: "TEXT?", value: "lease", begin: "set" },
  leased: { type: "BIGINT", value: "leased", member: "leased", begin: "set" },
  /** The ledger movement that charges it together with others. */
  batch: { type: "TEXT?", value: "batch", end: "keep" },
} as const satisfies Record<string, GenerationColumn>;

type Columns = typeof GENERATION_COLUMNS;
type Name = keyof Columns;
type Cell<Type> =
  | (Type extends `BIGINT${string}` ? number : string)
  | (Type extends `${string}?` ? null : never);
/** The values of the columns that have a property, by the names of the values. */
type ValuesWith<Property> = {
  [N in Name as Columns[N] extends Property ? Columns[N]["value"] : never]: Cell<Columns[N]["type"]>;
};

/** A row of the table. */
export type GenerationRow = { [N in Name]: Cell<Columns[N]["type"]> };
/** The values that a writer needs. */
export type WrittenValues<W extends Writer> = ValuesWith<{ [One in W]: Effect }>;
/** The values that an end returns. */
export type CountedValues = ValuesWith<{ count: true }>;
/** The values that the trace of calls has. */
export type TracedValues = ValuesWith<{ trace: true }>;
type Values = Readonly<Record<string, unknown>>;
type Members = { [N in Name as Columns[N] extends { member: infer M extends string } ? M : never]: N };

const COLUMNS = Object.entries<GenerationColumn>(GENERATION_COLUMNS);

/** The values of the trace of calls, in the order of its lines. */
export const TRACED = COLUMNS.filter(([, { trace }]) => trace).map(
  ([, { value }]) => value as keyof TracedValues,
);

/** The members of the record that callers read, with their columns. */
export const MEMBERS = Object.fromEntries(
  COLUMNS.flatMap(([name, { member }]) => (member === undefined ? [] : [[member, name]])),
) as Members;

/** The columns that any of the writers writes: name, value and type of each. */
export const writtenBy = (...writers: readonly Writer[]) =>
  COLUMNS.filter(([, column]) => writers.some((writer) => column[writer] !== undefined)).map(
    ([name, { value, type }]) => [name, value, type.startsWith("BIGINT") ? "BIGINT" : "TEXT"] as const,
  );

/** The SET clause of an update of `generations`. */
export const assignmentsOf = (
  writer: Writer,
  valueFor: (value: string) => RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql.join(
    COLUMNS.flatMap(([name, column]) => {
      const [target, value] = [sql.ref(name), valueFor(column.value)];
      if (column[writer] === undefined) return [];
      if (column[writer] === "set") return [sql`${target} = ${value}`];
      return [sql`${target} = COALESCE(${value}, ${sql.ref(`generations.${name}`)})`];
    }),
  );

/** True if a writer's values would leave the stored ones as they are. */
export const isWritten = (writer: Writer, stored: Values, values: Values): boolean =>
  COLUMNS.every(
    ([, { [writer]: effect, value }]) =>
      effect === undefined ||
      (effect === "keep" && values[value] === null) ||
      values[value] === stored[value],
  );

/**
 * A condition for generations that are found by id: they have not ended. Its text differs from the condition of the
 * index of pending generations on purpose: with that index, a planner that expects few of them would read all, possibly
 * thousands, for each generation that ends.
 */
export const IS_PENDING = sql`generations.status || '' = 'pending'`;

const asValues = (columns: typeof COLUMNS) =>
  sql.join(columns.map(([name, { value }]) => sql`${sql.ref(`generations.${name}`)} AS ${sql.ref(value)}`));

/** The columns that an end returns, as their values. */
export const COUNTED_COLUMNS = asValues(COLUMNS.filter(([, { count }]) => count));
/** The same with the columns that an end writes. */
export const ENDED_COLUMNS = asValues(COLUMNS.filter(([, { count, end }]) => count || end));
