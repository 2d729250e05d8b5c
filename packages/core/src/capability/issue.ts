import type { Ask, Issue } from "./ask.ts";
import { fieldOf, show } from "./message-text.ts";

interface Finding extends Pick<Issue, "path" | "code" | "allowed"> {
  effect?: Issue["effect"];
  neutral?: true;
  name?: string;
  value?: unknown;
  hint?: string;
  /** The caller's mistake, in words that follow the field. */
  problem: string;
  /** The consequences, as sentences of their own. */
  more?: string;
}

/** A finding with its message: field, what was found, model, what is allowed. */
export function toIssue(ask: Ask, finding: Finding): Issue {
  const { problem, more = "", effect = "refuse", path, ...rest } = finding;
  const message = `${path === "" ? "request" : fieldOf(path)}: ${problem}; the model ${show(ask.model)} accepts ${rest.allowed}.${more}`;
  return { path, effect, model: ask.model, ...rest, message };
}
