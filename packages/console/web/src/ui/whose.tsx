import type { Whose } from "../requests/source.ts";
import { operator, session } from "../state/session.ts";
import { Choice } from "./filters.tsx";

interface WhoseChoiceProps {
  value: Whose;
  onChange: (of: "all" | undefined) => void;
}

/** The choice between the own account and all accounts, for who may see both. */
export function WhoseChoice({ value, onChange }: WhoseChoiceProps) {
  if (operator.value === null || session.value === null) return null;
  return (
    <Choice
      name="Of "
      value={value}
      of={[
        ["account", "my account"],
        ["all", "all accounts"],
      ]}
      onChange={(of) => onChange(of === "all" ? of : undefined)}
    />
  );
}
