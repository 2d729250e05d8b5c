import type { Kysely, RawBuilder } from "kysely";
import type { Tables } from "../tables.ts";

/** One statement for a database. `name` marks a statement that returns often, so that a server may keep its plan. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string;
  /**
   * Nobody looks at its rows: a server may be sent the next statement before this one is answered. Should it fail, the
   * work fails, at the latest when it is committed.
   */
  readonly isUnasked?: boolean;
}

export type Row = Record<string, unknown>;

/**
 * A piece of work on the database: it yields statements and is given their rows, or several at one time that need
 * nothing of each other, and is given the rows of each. It does not know whether they run
 * at once or over a network, so one text serves an engine that must never wait inside a transaction and one that
 * always does.
 */
export type Work<T> = Generator<Query | readonly Query[], T, Row[]>;

/** Returned by a piece of work whose writes must not stay: they are undone, and `value` is the answer all the same. */
export class Undo<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/**
 * A piece of work as one of many: those of one `key` that wait for the same commit are done by `all`, in fewer
 * statements than each alone takes.
 */
export interface Batch<T = unknown, Item = unknown> {
  key: string;
  item: Item;
  /**
   * The answers in the order of the items; undone where some of them cannot be given, which are named: then each is
   * done alone.
   */
  all(items: readonly Item[]): Work<T[] | Undo<readonly Item[]>>;
  /** The items may be of several accounts, and all that it changes belongs to these. */
  isAcross?: true;
}

export interface WriteOptions<T = unknown> {
  /** Does not wait for the disk: the commit outlives this process, and is on disk before any later one that waits. */
  soft?: boolean;
  /** The account whose row the work waits for: work of one account may share a transaction. */
  account?: string | undefined;
  batch?: Batch<T>;
  /** Takes as long as it takes, and waits for others that do. */
  patient?: boolean;
}

/**
 * The end of a SELECT that locks its rows until the transaction ends; nothing where a transaction is alone anyway.
 */
export interface RowLocks {
  /** Against other writers of the row, but not against rows that refer to it. */
  shared: RawBuilder<unknown>;
  exclusive: RawBuilder<unknown>;
  /** The same, passing over rows that are locked already. */
  skipLocked: RawBuilder<unknown>;
}

/** The location of a database for another connection. */
export type Location = { dialect: "sqlite"; path: string } | { dialect: "postgres"; url: string };

/**
 * The way in which a database runs work. Work may be started anew after a conflict or a lost connection, also when
 * only the answer to its commit was lost; so every piece of work that writes must do no harm when it is done twice.
 */
export interface Engine {
  readonly dialect: Location["dialect"];
  /** Absent where no other connection can reach it. */
  readonly location?: Location;
  /** Builds and compiles statements; it has no connection. */
  readonly db: Kysely<Tables>;
  readonly locks: RowLocks;
  /** Runs work as one transaction; resolves when it is committed and on disk. Throws `StoreUnavailable`. */
  write<T>(work: () => Work<T | Undo<T>>, options?: WriteOptions<T>): Promise<T>;
  /** Runs work that only reads, each statement by itself: a few rows by an index, as requests need them. */
  read<T>(work: () => Work<T>): Promise<T>;
  /** Runs work that only reads, each statement by itself, and may take seconds. It holds no request up. */
  report<T>(work: () => Work<T>): Promise<T>;
  /** Runs work that only reads, all of it on one state of the database, and may take minutes, as `report` does. */
  snapshot<T>(work: () => Work<T>): Promise<T>;
  close(): Promise<void>;
}
