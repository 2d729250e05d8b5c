import type { Definitions } from "../engine/dialect.ts";

/** Gives the statements that define something, in order. */
export type Definition = (dialect: Definitions) => string[];

export interface Migration {
  name: string;
  statements: Definition;
}

/** The database cannot be used by this program; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
