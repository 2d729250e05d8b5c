import { usd } from "../format.ts";
import { CAPS } from "../ui/caps.ts";
import { Clip } from "../ui/clip.tsx";
import { ACTIONS } from "../ui/column.tsx";
import { wordsOf } from "../ui/restriction-values.ts";
import { Table } from "../ui/table.tsx";
import { CHANGED, type MemberTableProps, RowMenu, SOURCE } from "./rows.tsx";
import { EVENTS } from "./words.ts";

/** Where events are sent. */
export const WebhookTable = ({ of: members, open }: MemberTableProps) => (
  <Table
    caption="Webhooks"
    isMain
    rows={members}
    keyOf={({ name }) => name}
    columns={[
      { title: "Webhook", cell: ({ name }) => <Clip>{name}</Clip> },
      { title: "Address", cell: ({ value }) => <Clip>{String(value.url)}</Clip>, card: "line" },
      { title: "Events", cell: ({ value }) => sayEvents(value.events), card: "line" },
      { title: "Account", drops: 2, cell: ({ value }) => String(value.account ?? "all") },
      SOURCE,
      CHANGED,
      {
        title: ACTIONS,
        cell: (member) => (
          <RowMenu
            of={member}
            open={open}
            more={[{ text: "Send a test event", onClick: () => open({ test: `webhooks:${member.name}` }) }]}
          />
        ),
      },
    ]}
  />
);

const sayEvents = (events: unknown): string => {
  const all = (events ?? Object.keys(EVENTS)) as string[];
  return all.length === Object.keys(EVENTS).length ? "all" : all.join(", ");
};

/** What new keys have unless their request says otherwise. */
export const KeyDefaultTable = ({ of: members, open }: MemberTableProps) => (
  <Table
    caption="Key defaults"
    isMain
    rows={members}
    keyOf={({ name }) => name}
    columns={[
      { title: "Account", cell: ({ name }) => (name === "*" ? "all others" : <Clip>{name}</Clip>) },
      { title: "Caps", cell: ({ value }) => sayCaps(value.caps), card: "line" },
      { title: "Limits", cell: ({ value }) => wordsOf(value as object) || "–", card: "line" },
      SOURCE,
      CHANGED,
      { title: ACTIONS, cell: (member) => <RowMenu of={member} open={open} /> },
    ]}
  />
);

export const sayCaps = (caps: unknown): string =>
  CAPS.flatMap((cap) => {
    const amount = (caps as Record<string, number> | undefined)?.[cap];
    return amount === undefined ? [] : [`${usd(amount)} ${cap}`];
  }).join(", ") || "–";
