import type { Compilable, Kysely, RawBuilder } from "kysely";
import type { Tables } from "../tables.ts";
import type { Query, Work } from "./engine.ts";

class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A place in a prepared statement for the value called `name`. It poses as the value's type for the builder. */
export const param = <T = string>(name: string): T => new Param(name) as T;

let prepared = 0;

/**
 * Compiles a statement once and returns the work of running it with values. Compiling costs as much as running, so
 * whatever a request runs is prepared.
 */
export function prepare<Values extends object, R = unknown>(
  db: Kysely<Tables>,
  statement: RawBuilder<R> | Compilable<R>,
): (values: Values) => Work<R[]> {
  const { sql, parameters } = (statement as RawBuilder<R>).compile(db);
  const name = `s${prepared++}`;
  return function* (values): Work<R[]> {
    const bound = parameters.map((one) =>
      one instanceof Param ? (values as Record<string, unknown>)[one.name] : one,
    );
    return (yield { sql, parameters: bound, name }) as R[];
  };
}

/** The work of running a statement as it was built. */
export function* run<R>(statement: Compilable<R> | Query): Work<R[]> {
  return (yield "compile" in statement ? statement.compile() : statement) as R[];
}

/** The first row of the work's rows. */
export function* first<R>(work: Work<R[]>): Work<R | undefined> {
  return (yield* work)[0];
}
