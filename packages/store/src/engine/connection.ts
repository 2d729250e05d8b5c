export interface Statement {
  /** True if it returns rows. */
  readonly reader: boolean;
  /** True if it cannot change the database. */
  readonly readonly: boolean;
  run(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
}

/**
 * What the engine uses of the driver's connection. Exported signatures have this type instead of the driver's, whose
 * declarations are a package of their own: a program that compiles against the store does not have it.
 */
export interface Connection {
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  pragma(text: string): unknown;
  transaction<T>(work: () => T): () => T;
  close(): unknown;
}
