import type { Answer } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { textOf } from "./text.ts";

type Setting = Answer<"/api/admin/config">["settings"][number];

const SHOWN = { "": "all settings", set: "what is not the default" };

/** The settings in force with what each is for and where its value stands. */
export function Settings({ of: settings }: { of: readonly Setting[] }) {
  const [{ filter = "", all = "" }, set] = useParams();
  const rows = settings.filter(
    ({ path, isDefault }) => path.includes(filter) && !(all === "set" && isDefault),
  );
  return (
    <>
      <search class="filters">
        <Typed name="setting" value={filter} onChange={(value) => set({ filter: value })} isFirst />
        <Choice
          name="show"
          value={all}
          of={Object.entries(SHOWN)}
          onChange={(value) => set({ all: value })}
        />
      </search>
      {rows.length === 0 ? (
        <Empty>
          <p>No setting fits.</p>
        </Empty>
      ) : (
        <Table
          caption="Settings"
          rows={rows}
          keyOf={({ path }) => path}
          columns={[
            {
              title: "Setting",
              cell: ({ path, about }) => (
                <div>
                  <code>{path}</code>
                  {about !== undefined && <p class="hint">{about}</p>}
                </div>
              ),
            },
            {
              title: "Value",
              cell: ({ value, isDefault }) => <span class={isDefault ? "faint" : ""}>{textOf(value)}</span>,
            },
            { title: "From", cell: (setting) => <From of={setting} /> },
          ]}
        />
      )}
      <p class="faint">
        A reload (<code>SIGHUP</code>) takes over providers and models; all else counts from the next start.
        Several processes are replaced by a reload, and so take over everything but the address.
      </p>
    </>
  );
}

/** The line or the variable that a value was taken from. */
function From({ of: { origin, isDefault } }: { of: Setting }) {
  if (!origin) return <span class="faint">{isDefault ? "default" : "the service itself"}</span>;
  const { file, line, variables = [] } = origin;
  return (
    <>
      {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
      {file !== undefined && variables.length > 0 && ", by "}
      {variables.length > 0 && <code>{variables.join(", ")}</code>}
    </>
  );
}
