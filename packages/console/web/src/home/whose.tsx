import { operator, session } from "../state/session.ts";
import { useParams } from "../state/url.ts";
import { Choice } from "../ui/filters.tsx";

/** The choice between the own account and all accounts, for who may see both. */
export function WhoseHome() {
  const [{ of }, set] = useParams();
  if (operator.value === null || session.value === null) return null;
  return (
    <Choice
      name="Of "
      value={of === "all" ? "all" : "account"}
      of={[
        ["account", "my account"],
        ["all", "all accounts"],
      ]}
      onChange={(value) => set({ of: value === "all" ? value : undefined })}
    />
  );
}
