import type { Kysely } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** One statement for a database. `name` marks a statement that is run often, so that a server can keep its plan. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string;
  /**
   * The work does not read the statement's rows, so the next one may be sent before this one is answered. If it fails,
   * the work fails, at the latest on commit.
   */
  readonly isUnread?: boolean;
}

export type Row = Record<string, unknown>;

/**
 * A piece of work on the database: a generator that yields a statement and receives its rows, or yields several
 * independent statements and receives the rows of each. It does not depend on whether they run at once or over a
 * network, so the same work serves an engine that must never wait inside a transaction and one that always does.
 */
export type Work<T> = Generator<Query | readonly Query[], T, Row[]>;

/** The result of work whose writes must be undone; `value` is still its answer. */
export class Undo<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Describes how a piece of work can be done together with others: those with the same `key` that wait for the same
 * commit are done by `all`, in fewer statements than one by one.
 */
export interface Batch<T = unknown, Item = unknown> {
  key: string;
  item: Item;
  /**
   * The answers, in the order of the items. If some items cannot be done, the result is an `Undo` with these, and each
   * item is then done alone.
   */
  all(items: readonly Item[]): Work<T[] | Undo<readonly Item[]>>;
  /** The items may belong to several accounts, and the work changes only these accounts' data. */
  isAcross?: true;
}

export interface WriteOptions<T = unknown> {
  /** Does not wait for the disk: the commit survives this process, and is on disk before any later one that waits. */
  soft?: boolean;
  /** Shares its transaction with no other work, so that none waits for it or fails with it. Implies `soft`. */
  separate?: boolean;
  /** The account whose row the work locks: work of one account may share a transaction. */
  account?: string | undefined;
  batch?: Batch<T>;
  /** The number of requests that wait for it, as known once it has run; 1 by default. */
  size?(): number;
  /** Runs without the usual time limits, and one after another with other such work. */
  isUnlimited?: boolean;
}

/** The location of a database, for opening another connection. */
export type Location = { path: string } | { url: string; isPooled: boolean };

/** A replica of the database. */
export interface Reader {
  /** An upper bound for its delay, in ms; `undefined` while reports come from the primary instead. */
  delayMs(): number | undefined;
}

/**
 * Runs work on a database. Work may be restarted after a conflict or a lost connection, even if only the answer to its
 * commit was lost; so all work that writes must do no harm when it is done twice.
 */
export interface Engine {
  readonly dialect: Dialect;
  /** Absent if no other connection can open it. */
  readonly location?: Location;
  /** The database's file on this machine, if it has one. */
  readonly file?: string;
  /** The replica that reads for reports, if there is one. */
  readonly reader?: Reader;
  /** The builder and compiler of statements; it has no connection. */
  readonly db: Kysely<Tables>;
  /** Runs work as one transaction; resolves when it is committed and on disk. Throws `StoreUnavailable`. */
  write<T>(work: () => Work<T | Undo<T>>, options?: WriteOptions<T>): Promise<T>;
  /** Runs short work that only reads: a few rows by an index. Each statement sees its own state of the database. */
  read<T>(work: () => Work<T>): Promise<T>;
  /** The same for work that may take seconds, without delaying requests. */
  report<T>(work: () => Work<T>): Promise<T>;
  /**
   * The same on a replica, if there is one that is not too far behind. The data may be seconds old, so no decision
   * about money uses it.
   */
  delayed<T>(work: () => Work<T>): Promise<T>;
  /** The same for work that may take minutes and needs one consistent state of the database. */
  snapshot<T>(work: () => Work<T>): Promise<T>;
  close(): Promise<void>;
}
