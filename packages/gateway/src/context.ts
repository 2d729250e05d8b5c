import type { Context } from "./ports/context.ts";

/** Gives the request's generation its id, which headers and log lines have from then on. */
export function startGeneration(context: Context): string {
  const id = context.reservedId ?? context.services.id();
  context.reservedId = undefined;
  context.generation = id;
  return id;
}
