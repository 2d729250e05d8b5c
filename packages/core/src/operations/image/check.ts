import type { Issue } from "../../capability/ask.ts";
import type { ImageAsk } from "./ir.ts";

/** The rule that holds for every image model, whatever its capabilities: words say what to make. */
export function checkImage(ask: ImageAsk): Issue[] {
  if (ask.prompt.trim() !== "") return [];
  const allowed = "at least one text part that is not empty";
  const message = `content: there is no text that says what to make: give ${allowed} (model ${JSON.stringify(ask.model)})`;
  return [
    { path: "/content", code: "missing_companion", effect: "refuse", model: ask.model, allowed, message },
  ];
}
