import type { Answer } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Choice, Typed } from "../ui/filters.tsx";
import { Empty } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { textOf } from "./text.ts";

type Setting = Answer<"/api/admin/config">["settings"][number];

const SHOWN = { "": "all settings", set: "only changed from the default" };

/** The settings in force with what each is for and where its value stands. */
export function Settings({ of: settings }: { of: readonly Setting[] }) {
  const [{ filter = "", all = "" }, set] = useParams();
  const rows = settings.filter(
    ({ path, isDefault }) => path.includes(filter) && !(all === "set" && isDefault),
  );
  return (
    <>
      <search class="filters">
        <Typed name="Setting" value={filter} onChange={(value) => set({ filter: value })} isFirst />
        <Choice
          name="Show"
          value={all}
          of={Object.entries(SHOWN)}
          onChange={(value) => set({ all: value })}
        />
      </search>
      {rows.length === 0 ? (
        <Empty title="No setting matches the filters" icon="config" />
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
            { title: "Source", cell: (setting) => <From of={setting} /> },
            { title: "A change takes effect", cell: (setting) => <Effect of={setting} /> },
          ]}
        />
      )}
    </>
  );
}

/** When a change takes effect, and the value that waits for it. */
function Effect({ of: { effect, pending } }: { of: Setting }) {
  if (effect === undefined) return <>–</>;
  if (effect === "reload") return <>at a reload (SIGHUP)</>;
  if (pending === undefined) return <span class="faint">after a restart</span>;
  return (
    <span class="warn">
      after a restart: {pending === null ? "no value" : <code>{textOf(pending)}</code>} waits
    </span>
  );
}

/** The line or the variable that a value was taken from. */
function From({ of: { origin, isDefault } }: { of: Setting }) {
  if (!origin) return <span class="faint">{isDefault ? "default" : "set by the service"}</span>;
  const { file, line, variables = [] } = origin;
  return (
    <>
      {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
      {file !== undefined && variables.length > 0 && ", by "}
      {variables.length > 0 && <code>{variables.join(", ")}</code>}
    </>
  );
}
