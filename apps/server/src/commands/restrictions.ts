import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import type { RestrictionsChange } from "@manifold-gateway/store";
import { RESTRICTION_NAMES, RESTRICTIONS } from "@manifold-gateway/store/restrictions";
import { checkValue } from "../config/findings.ts";
import { Misuse } from "./misuse.ts";
import { OPTIONS, type Options } from "./options.ts";
import { FORMS } from "./restriction-options.ts";

/** The restrictions on a command line; `none` lifts one. */
export function restrictionsOf(options: Options): RestrictionsChange {
  const fields: Record<string, unknown> = {};
  for (const name of RESTRICTION_NAMES) {
    const text = options[name];
    if (text === undefined) continue;
    const value = text === "none" ? null : FORMS[RESTRICTIONS[name].kind].parse(text);
    const checked = checkValue(restrictionsField, { [name]: value });
    const [flag] = OPTIONS[name][0].split(" ");
    if ("faults" in checked) throw new Misuse(`${flag}: ${checked.faults[0]?.text}, or none`);
    fields[name] = value;
  }
  return toRestrictionsChange(restrictionsField.parse(fields));
}
