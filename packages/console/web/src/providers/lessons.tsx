import { Table } from "../ui/table.tsx";
import type { RouteState } from "./state.ts";

/** What the provider's refusals have shown of its models. */
export function Lessons({ provider, of: entries }: { provider: string; of: readonly RouteState[] }) {
  const rows = entries.flatMap(({ id, model, learnt = [] }) =>
    learnt.map((lesson) => ({ ...lesson, id, model })),
  );
  if (rows.length === 0) return null;
  return (
    <Table
      caption={`Learnt from refusals of ${provider}`}
      rows={rows}
      keyOf={({ id, protocol, because }) => `${id} ${protocol} ${because}`}
      columns={[
        { title: "Model", cell: ({ model }) => model },
        { title: "Protocol", cell: ({ protocol }) => protocol },
        { title: "Traits", cell: ({ traits }) => <code>{JSON.stringify(traits)}</code> },
        { title: "Provider’s words", cell: ({ because }) => because },
        { title: "Until", time: ({ until }) => until },
      ]}
    />
  );
}
