import type { Compilable, Kysely, RawBuilder } from "kysely";
import type { Tables } from "../tables.ts";
import type { Engine, Query, Row, Work } from "./engine.ts";

class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A place in a prepared statement for the value called `name`. It poses as the value's type for the builder. */
export const param = <T = string>(name: string): T => new Param(name) as T;

/** Marks a statement whose rows nobody looks at. */
export const UNASKED = { isUnasked: true } as const satisfies Partial<Query>;

let prepared = 0;

/**
 * Compiles a statement once and returns the work of running it with values. Compiling costs as much as running, so
 * whatever a request runs is prepared.
 */
export function prepare<Values extends object, R = unknown>(
  db: Kysely<Tables>,
  statement: RawBuilder<R> | Compilable<R>,
  { isUnasked = false }: Pick<Query, "isUnasked"> = {},
): (values: Values) => Work<R[]> {
  const { sql, parameters } = (statement as RawBuilder<R>).compile(db);
  const name = `s${prepared++}`;
  return function* (values): Work<R[]> {
    const bound = parameters.map((one) =>
      one instanceof Param ? (values as Record<string, unknown>)[one.name] : one,
    );
    return (yield { sql, parameters: bound, name, isUnasked }) as R[];
  };
}

/** The work of running a statement as it was built. */
export function* run<R>(statement: Compilable<R> | Query): Work<R[]> {
  return (yield "compile" in statement ? statement.compile() : statement) as R[];
}

type Value<W> = W extends Work<infer T> ? T : never;
type Results<Works extends readonly Work<unknown>[]> = {
  -readonly [at in keyof Works]:
    | Value<Works[at]>
    | (undefined extends Value<Works[number]> ? undefined : never);
};

/**
 * Runs works none of which needs what another one finds. A server is sent what all of them ask for at one time; a
 * file runs them one by one, and none after one that came to nothing (`undefined`), for which all are to be undone.
 * Where one throws on a server, none of the others learns of it.
 */
export function prepareAbreast({ dialect }: Pick<Engine, "dialect">) {
  return function* <const Works extends readonly Work<unknown>[]>(...works: Works): Work<Results<Works>> {
    const values: unknown[] = [];
    if (dialect === "sqlite") {
      for (const work of works) {
        const value = yield* work;
        values.push(value);
        if (value === undefined) break;
      }
      return values as Results<Works>;
    }
    let open = works.map((work, at) => ({ work, at, step: work.next() }));
    for (;;) {
      for (const { at, step } of open) if (step.done) values[at] = step.value;
      open = open.filter(({ step }) => !step.done);
      if (open.length === 0) return values as Results<Works>;
      const answers = (yield open.map(({ step }) => step.value as Query)) as unknown as Row[][];
      open = open.map(({ work, at }, i) => ({ work, at, step: work.next(answers[i]!) }));
    }
  };
}

/** The first row of the work's rows. */
export function* first<R>(work: Work<R[]>): Work<R | undefined> {
  return (yield* work)[0];
}
