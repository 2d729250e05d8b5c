export interface Statement {
  /** True if it returns rows. */
  readonly reader: boolean;
  /** True if it cannot change the database. */
  readonly readonly: boolean;
  run(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
}

/**
 * The part of the driver's connection that the engine uses. Exported signatures have this type instead of the driver's,
 * whose declarations are a separate package that a program compiled against the store may not have.
 */
export interface Connection {
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  pragma(text: string): unknown;
  transaction<T>(work: () => T): () => T;
  close(): unknown;
}
