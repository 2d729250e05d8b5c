import { count } from "../format.ts";
import { Status } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { ProviderState } from "./state.ts";

type Credential = NonNullable<ProviderState["credentials"]>[number];

/** The keys of a provider that has several: their health as this process knows it, never their values. */
export const Credentials = ({
  provider,
  of: credentials,
}: {
  provider: string;
  of: readonly Credential[];
}) => (
  <Table
    caption={`Credentials of ${provider}`}
    rows={credentials}
    keyOf={({ name }) => name}
    columns={[
      { title: "Credential", cell: ({ name }) => name },
      { title: "Weight", isNumber: true, cell: ({ weight }) => count(weight) },
      {
        title: "Health",
        cell: ({ state, status }) => (
          <>
            <Status of={state} />
            {status !== undefined && ` (status ${status})`}
          </>
        ),
      },
      { title: "Retried at", time: ({ until }) => until },
      { title: "Calls", isNumber: true, cell: ({ calls }) => count(calls) },
    ]}
  />
);
