import type { Engine } from "../engine/engine.ts";

/** The parts of definitions in which the dialects differ; all else of a migration is the same text. */
export interface Spelling {
  /** The type of a 64-bit integer. */
  integer: string;
  /** The clause after a table's columns. */
  strict: string;
  /** The same for a table of short rows, which are stored in the primary key's index. */
  clustered: string;
  dialect: Engine["dialect"];
}

/** Gives the statements that define something, in order. */
export type Definition = (spelling: Spelling) => string[];

export interface Migration {
  name: string;
  statements: Definition;
}

/** The database cannot be used by this program; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export const spellingOf = (dialect: Engine["dialect"]): Spelling =>
  dialect === "sqlite"
    ? { dialect, integer: "INTEGER", strict: "STRICT", clustered: "STRICT, WITHOUT ROWID" }
    : { dialect, integer: "BIGINT", strict: "", clustered: "" };
