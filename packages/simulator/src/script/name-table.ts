import type * as z from "zod";
import { Refusal } from "../refusal.ts";

/** Reads `name=value,name` by a table of names. */
export function readTable<S extends z.ZodObject>(noun: string, schema: S, text: string): z.infer<S> {
  const entries = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item): [string, string] => {
      const at = item.indexOf("=");
      return at < 0 ? [item, ""] : [item.slice(0, at), item.slice(at + 1)];
    });
  const read = schema.safeParse(Object.fromEntries(entries));
  if (read.success) return read.data;
  const allowed = Object.keys(schema.shape).join(", ");
  throw new Refusal("invalid", `The ${noun} "${text}" is not one the simulator knows. Allowed: ${allowed}.`);
}
