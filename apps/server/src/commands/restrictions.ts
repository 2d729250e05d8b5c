import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import type { RestrictionsChange } from "@manifold-gateway/store";
import { RESTRICTION_NAMES, RESTRICTIONS } from "@manifold-gateway/store/restrictions";
import { describeIssue } from "../config/findings.ts";
import { ConfigError } from "../config/read.ts";
import { OPTIONS, type Options } from "./options.ts";
import { FORMS } from "./restriction-options.ts";

/** The restrictions on a command line; `none` lifts one. */
export function restrictionsOf(options: Options): RestrictionsChange {
  const fields: Record<string, unknown> = {};
  for (const name of RESTRICTION_NAMES) {
    const text = options[name];
    if (text === undefined) continue;
    const value = text === "none" ? null : FORMS[RESTRICTIONS[name].kind].parse(text);
    const { error } = restrictionsField.safeParse({ [name]: value }, { reportInput: true });
    const [flag] = OPTIONS[name][0].split(" ");
    const [issue] = error?.issues ?? [];
    if (issue) throw new ConfigError(`${flag}: ${describeIssue(issue)}, or none`);
    fields[name] = value;
  }
  return toRestrictionsChange(restrictionsField.parse(fields));
}
