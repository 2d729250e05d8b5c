import type { Compilable, Kysely, RawBuilder } from "kysely";
import type { Engine, Query, Row, Work } from "./engine.ts";
import type { Tables } from "./tables.ts";

class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A parameter of a prepared statement: its value is the member `name`. The builder sees it as the value's type. */
export const param = <T = string>(name: string): T => new Param(name) as T;

/** Marks a statement whose rows the work does not read. */
export const UNREAD = { isUnread: true } as const satisfies Partial<Query>;

let prepared = 0;

/**
 * Compiles a statement once and returns the work of running it with values. Compiling takes as long as running, so the
 * statements of requests are prepared.
 */
export function prepare<Values extends object, R = unknown>(
  db: Kysely<Tables>,
  statement: RawBuilder<R> | Compilable<R>,
  { isUnread = false }: Pick<Query, "isUnread"> = {},
): (values: Values) => Work<R[]> {
  const { sql, parameters } = (statement as RawBuilder<R>).compile(db);
  const name = `s${prepared++}`;
  return function* (values): Work<R[]> {
    const bound: unknown[] = [];
    for (const one of parameters)
      bound.push(one instanceof Param ? (values as Record<string, unknown>)[one.name] : one);
    return (yield { sql, parameters: bound, name, isUnread }) as R[];
  };
}

/** The work of running a statement without preparing it. */
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
 * Runs independent works. A server gets the statements of all of them at once; SQLite runs one work after another, and
 * stops at the first that returns `undefined`, since all must then be undone. If one throws on a server, the others
 * are not resumed.
 */
export function prepareParallel({ dialect }: Pick<Engine, "dialect">) {
  return function* <const Works extends readonly Work<unknown>[]>(...works: Works): Work<Results<Works>> {
    const values: unknown[] = [];
    if (!dialect.supportsPipelining) {
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

/** The first row that the work returns. */
export function* first<R>(work: Work<R[]>): Work<R | undefined> {
  return (yield* work)[0];
}
