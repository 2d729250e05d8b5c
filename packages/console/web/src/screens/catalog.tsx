import "../catalog/catalog.css";
import { type Member, type Section, useMembers } from "../catalog/calls.ts";
import { Dialogs } from "../catalog/dialogs.tsx";
import { LastChange } from "../catalog/done.tsx";
import { Export } from "../catalog/export.tsx";
import { History } from "../catalog/history.tsx";
import { ModelTable } from "../catalog/model-table.tsx";
import { ProviderTable } from "../catalog/provider-table.tsx";
import { KeyDefaultTable, WebhookTable } from "../catalog/small-tables.tsx";
import { count } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Choice, Typed } from "../ui/filters.tsx";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";

const TABS = {
  models: {
    title: "Models",
    Table: ModelTable,
    none: "Add a provider, and choose among the models that it lists.",
  },
  providers: {
    title: "Providers",
    Table: ProviderTable,
    none: "Whoever serves models: a vendor, or a server of your own.",
  },
  webhooks: {
    title: "Webhooks",
    Table: WebhookTable,
    none: "They get an event when a key reaches a cap, a balance runs low, a job ends or something fails.",
  },
  keyDefaults: {
    title: "Key defaults",
    Table: KeyDefaultTable,
    none: "The caps and limits that new keys have, unless whoever makes one says otherwise.",
  },
} as const;

const SOURCES = [
  ["", "all"],
  ["database", "here"],
  ["file", "in the file"],
  ["service", "built in"],
] as const;

/** What can be changed here stands before what cannot. */
const ORDER: readonly Member["source"][] = ["database", "file", "service"];

/** What the dialogs of the screen have in its address. */
const DIALOGS = ["new", "edit", "remove", "stop", "serve", "test", "undo", "export"];

/** All that can be changed while the service runs, and what the file keeps to itself. */
export default function Catalog() {
  const [params, set] = useParams();
  const members = useMembers();
  const close = (): void => set(Object.fromEntries(DIALOGS.map((name) => [name, undefined])));
  return (
    <>
      <Head
        title="Catalog"
        about="Changed here, in force at once. What the configuration file names is changed there."
      >
        <a class="button main" href="/console/catalog/add">
          <Icon name="plus" />
          Add provider
        </a>
        <Menu
          label="Add or export"
          items={[
            { text: "Add a model", icon: "plus", onClick: () => set({ new: "models" }) },
            { text: "Add a webhook", icon: "plus", onClick: () => set({ new: "webhooks" }) },
            { text: "Set key defaults", icon: "plus", onClick: () => set({ new: "keyDefaults" }) },
            {
              text: "Export as a file",
              icon: "download",
              begins: "",
              onClick: () => set({ export: "file" }),
            },
          ]}
        />
      </Head>
      <LastChange />
      <Awaited label="the catalog" rows={8} of={members}>
        {(all) => (
          <>
            <Tabs
              of={{
                ...Object.fromEntries(
                  Object.entries(TABS).map(([section, { title }]) => {
                    const of = all.filter((one) => one.section === section);
                    const body = <List section={section as Section} of={of} />;
                    return [section, { title: `${title} ${count(of.length)}`, body }];
                  }),
                ),
                changes: { title: "Changes", body: <History /> },
              }}
              open={params.tab}
              onOpen={(tab) => set({ tab, offset: undefined, name: undefined })}
            />
            <Dialogs params={params} members={all} onClose={close} />
          </>
        )}
      </Awaited>
      {params.export !== undefined && <Export onClose={close} />}
    </>
  );
}

/** The members of a section, as far as the filters let them through. */
function List({ section, of: members }: { section: Section; of: readonly Member[] }) {
  const [params, set] = useParams();
  const { title, Table, none } = TABS[section];
  const { name = "", source = "" } = params;
  const isWanted = (one: Member): boolean =>
    one.name.toLowerCase().includes(name.toLowerCase()) && (source === "" || one.source === source);
  const shown = members
    .filter(isWanted)
    .toSorted((a, b) => ORDER.indexOf(a.source) - ORDER.indexOf(b.source) || a.name.localeCompare(b.name));
  if (members.length === 0)
    return (
      <Empty title={`No ${title.toLowerCase()}`} icon="models">
        <p>{none}</p>
        {section === "models" || section === "providers" ? (
          <a class="button main" href="/console/catalog/add">
            Add provider
          </a>
        ) : (
          <button type="button" class="main" onClick={() => set({ new: section })}>
            {section === "webhooks" ? "Add a webhook" : "Set key defaults"}
          </button>
        )}
      </Empty>
    );
  return (
    <>
      <search class="filters">
        <Typed name="Name" value={name} onChange={(value) => set({ name: value })} isFirst />
        <Choice name="Declared" value={source} of={SOURCES} onChange={(value) => set({ source: value })} />
        <span class="faint">
          {count(shown.length)} of {count(members.length)}
        </span>
      </search>
      {shown.length === 0 ? (
        <Empty title="Nothing matches these filters">
          <button type="button" onClick={() => set({ name: undefined, source: undefined })}>
            Show all
          </button>
        </Empty>
      ) : (
        <Table of={shown} open={set} />
      )}
    </>
  );
}
