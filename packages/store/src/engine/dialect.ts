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
  readonly definitions: Definitions;
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
}
