import { z } from "zod";
import type { Exchange } from "../http/exchange.ts";
import { parse } from "../surfaces/heads.ts";

const whole = (min: number, max: number, preset: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(preset);

/** The paging of a list. */
export const pageQuery = z.object({ offset: whole(0, 10_000_000, 0), limit: whole(1, 100, 20) });

/** The query parameters that a schema names, or a 400 that names the one to blame. */
export const readQuery = <T>(exchange: Exchange, schema: z.ZodType<T> & { shape: object }): T =>
  parse(schema, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, exchange.query(name)])));
