import type { Issue } from "../../capability/ask.ts";
import { check } from "../../capability/check.ts";
import { toIssue } from "../../capability/issue.ts";
import type { Capabilities } from "../../capability/schema.ts";
import type { ParamNames } from "../ask-params.ts";
import type { ImageAsk } from "./ir.ts";
import { wantsOfImage } from "./needs.ts";

/** Compares an ask with what its model takes. Every image model wants words that say what to make. */
export function checkImage(
  capabilities: Capabilities | undefined,
  ask: ImageAsk,
  names?: ParamNames,
): Issue[] {
  const wants = wantsOfImage(ask, names);
  const issues = check(capabilities, wants);
  if (ask.prompt.trim() !== "") return issues;
  const wordless = toIssue(wants, {
    path: names?.prompt ?? "/content",
    code: "missing_companion",
    problem: "there is no text that describes the image",
    allowed: "at least one text that is not empty",
  });
  return [...issues, wordless];
}
