import type { RawBuilder, SqlBool } from "kysely";

/** What differs between databases: the code outside this folder asks for a capability, never for a database's name. */
export interface Dialect {
  /**
   * One statement takes many rows, with an array for each column, and joins them laterally; a round trip then costs more
   * than the statement. Without, each row has a statement.
   */
  readonly supportsArrays: boolean;
  /** Several independent statements can be sent before the first is answered. */
  readonly supportsPipelining: boolean;
  /** The target duration of a statement of a report, in ms. */
  readonly reportMs: number;
  readonly locks: Locks;
  readonly json: Json;
  /** SQL text: the texts of a group's rows that are not NULL, with spaces between. */
  joined(value: string): string;
  readonly definitions: Definitions;
  /** Absent if a table cannot be divided. */
  readonly partitions?: PartitionStatements;
  /** A condition: the column has one of the texts. The number of texts does not change the statement. */
  isOneOf(column: string, texts: readonly string[]): RawBuilder<SqlBool>;
}

/**
 * The clauses that make a SELECT lock its rows until the transaction ends, empty if only one transaction can run, and
 * statements that lock more than rows, absent then.
 */
export interface Locks {
  /** Locks out other writers of the row, but not inserts that refer to it. */
  readonly shared: RawBuilder<unknown>;
  readonly exclusive: RawBuilder<unknown>;
  /** The exclusive lock, without rows that are locked already. */
  readonly skipLocked: RawBuilder<unknown>;
  /** A lock that is only a number. */
  numbered?(number: number): RawBuilder<unknown>;
  /** Locks out other writers of whole tables. */
  tables?(...tables: string[]): RawBuilder<unknown>;
}

/** SQL text about columns that contain a JSON object; `member` is a plain word. */
export interface Json {
  /** A member as text; NULL if it is absent. */
  member(column: string, member: string): string;
  /** The same for a name that callers choose. */
  memberByName(column: string, name: string): RawBuilder<string | null>;
  /** A member that is a whole number of at least 0; other values count 0. */
  count(column: string, member: string): string;
  /** A member that is a number of at least 0; NULL for other values. */
  number(column: string, member: string): string;
  /** A table of the members to join, with the columns `key` and `value`. */
  entries(column: string, alias: string): string;
}

/** The parts of definitions in which the dialects differ; all else of a migration is the same text. */
export interface Definitions {
  /** The type of a 64-bit integer. */
  readonly integer: string;
  /** The clause after a table's columns. */
  readonly strict: string;
  /** The same for a table of short rows, which are stored in the primary key's index. */
  readonly clustered: string;
  /** The statements that let a table's rows only be added; those for which `isKept` is false can be deleted too. */
  appendOnly(table: string, isKept?: string): string[];
  /** The statements that undo `appendOnly(table)`. */
  dropAppendOnly(table: string): string[];
  /** The same as `appendOnly` for a condition that reads other tables, also for a table that is divided. */
  appendOnlyUnless(table: string, isRemovable: string): string[];
  /** The statements that change the condition of `appendOnlyUnless`. */
  replaceRemovable(table: string, isRemovable: string): string[];
  /**
   * The statements that let a table have partitions by a column of its key. All its rows are then in one partition,
   * its rest. None if a table cannot be divided.
   */
  divide(table: { name: string; key: string; column: string; indexes: Record<string, string> }): string[];
}

/** The rows of a partition: at least `from` and less than `to`, both literals. */
export interface PartitionRange {
  column: string;
  from: string;
  to: string;
}

/** A partition to make. */
export interface NewPartition extends PartitionRange {
  name: string;
  /** The table that is divided. */
  table: string;
  isAppendOnly?: true;
}

/** Statements about the partitions of a table. Those that are texts lock parts of it for a moment. */
export interface PartitionStatements {
  /** The first statement of each change: requests that wait behind it must not wait long. */
  readonly begin: string;
  /** Tries to take a lock that is only a number. */
  tryLock(number: number): RawBuilder<{ isLocked: boolean }>;
  /** The partitions of a table. */
  list(table: string): RawBuilder<{ name: string }>;
  /** The size of a table with its indexes. */
  size(table: string): RawBuilder<{ bytes: number }>;
  /** The constraints that `exclude` added to a table. */
  exclusions(table: string): RawBuilder<{ name: string; isChecked: number }>;
  /** Refuses new rows in the ranges, so that a check of the others can show that there are none. */
  exclude(table: string, constraint: string, ranges: readonly PartitionRange[]): string;
  /** Reads the whole table, beside its readers and writers; fails by an error that `isViolation`. */
  check(table: string, constraint: string): string;
  isViolation(error: unknown): boolean;
  /** True if a statement gave up waiting for a lock. */
  isLocked(error: unknown): boolean;
  /** Waits within a transaction, in seconds. */
  sleep(seconds: number): string;
  /** The number of this connection, by which another one can `cancel` its statement. */
  readonly self: RawBuilder<{ id: number }>;
  cancel(id: number): RawBuilder<unknown>;
  include(table: string, constraint: string): string;
  /** Adds a partition that is divided itself. */
  addDivided(parent: string, partition: NewPartition): string[];
  /** Adds a partition; `rest` is the table that has its rows so far. */
  add(parent: string, partition: NewPartition, rest?: string): string[];
  /** Drops a partition with its rows. */
  remove(parent: string, name: string): string[];
}
