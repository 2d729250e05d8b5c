import { type Migration, MigrationError } from "./migration.ts";

/**
 * The number of the first migration. Before it, 22 migrations made the same tables: a database that has all of them
 * has the number, and the last of their names.
 */
const FIRST = 22;
const LAST_OF_BEFORE = "sums by entry";

export const numberOf = (index: number): number => FIRST + index;

/** A row of the table `migrations`. */
export interface Applied {
  number: number;
  name: string;
}

/**
 * Counts the migrations of this program that a database has. Throws `MigrationError` where it has others: those of a
 * newer program, of a foreign one, or of one from before the first.
 */
export function countApplied(rows: readonly Applied[], migrations: readonly Migration[]): number {
  const last = rows.toSorted((a, b) => a.number - b.number).at(-1);
  if (last !== undefined && last.number < FIRST)
    throw new MigrationError(
      `the database has migrations up to ${last.number} "${last.name}", this program begins with ${FIRST}; start the program with migrations 1 to ${FIRST} once, as docs/operations.md says under "Upgrade"`,
    );
  for (const { number, name } of rows) {
    if (number < FIRST || (number === FIRST && name === LAST_OF_BEFORE)) continue;
    const known = migrations[number - FIRST]?.name;
    if (known !== name)
      throw new MigrationError(
        `the database has migration ${number} "${name}", this program ${known === undefined ? `knows none after ${numberOf(migrations.length - 1)}` : `has "${known}" there`}; use a program at least as new as the database`,
      );
  }
  return rows.filter(({ number }) => number >= FIRST).length;
}
