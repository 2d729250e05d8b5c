import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The settings that the service runs with. */
export default function Configuration() {
  const [params, set] = useParams();
  const { filter = "", all = "" } = params;
  const found = useQuery({
    queryKey: ["config"],
    queryFn: ({ signal }) => call("get", "/api/admin/config", { signal }),
  });
  return (
    <>
      <Head
        title="Configuration"
        about="The values in force. Of a secret, the beginning of its SHA-256 shows whether it was exchanged."
      />
      <search class="filters">
        <Typed name="setting" value={filter} onChange={(value) => set({ filter: value })} isFirst />
        <Choice
          name="show"
          value={all}
          of={[
            ["", "all settings"],
            ["set", "what is not the default"],
          ]}
          onChange={(value) => set({ all: value })}
        />
      </search>
      <Awaited what="the configuration" of={found}>
        {({ settings }) => {
          const rows = settings.filter(
            ({ path, isDefault }) => path.includes(filter) && !(all === "set" && isDefault),
          );
          return rows.length === 0 ? (
            <Empty>
              <p>No setting fits.</p>
            </Empty>
          ) : (
            <Table
              caption="Settings"
              rows={rows}
              keyOf={({ path }) => path}
              columns={[
                { title: "Setting", cell: ({ path }) => <code>{path}</code> },
                {
                  title: "Value",
                  cell: ({ value, isDefault }) => (
                    <span class={isDefault ? "faint" : ""}>{textOf(value)}</span>
                  ),
                },
                { title: "Set", cell: ({ isDefault }) => (isDefault ? "default" : "yes") },
              ]}
            />
          );
        }}
      </Awaited>
    </>
  );
}
