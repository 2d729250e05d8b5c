import { inWords, PROTOCOLS } from "../request/words.ts";
import { Badges } from "../ui/badge.tsx";
import { Clip } from "../ui/clip.tsx";
import { ACTIONS } from "../ui/column.tsx";
import { Table } from "../ui/table.tsx";
import { CHANGED, type MemberTableProps, RowMenu, SOURCE } from "./rows.tsx";

/** Who serves models: its address, and how it lets us in. */
export const ProviderTable = ({ of: members, open }: MemberTableProps) => (
  <Table
    caption="Providers"
    isMain
    rows={members}
    keyOf={({ name }) => name}
    columns={[
      { title: "Provider", cell: ({ name }) => <Clip>{name}</Clip> },
      {
        title: "Known as",
        drops: 3,
        cell: ({ value }) => (value.preset as string | undefined) ?? "–",
      },
      {
        title: "Address",
        cell: ({ value }) => <Clip>{String(value.origin ?? "the known one")}</Clip>,
        card: "line",
      },
      {
        title: "Speaks",
        drops: 2,
        cell: ({ value }) => (
          <Badges of={[value.protocol ?? []].flat().map((one) => inWords(PROTOCOLS, String(one)))} />
        ),
      },
      {
        title: "Key",
        drops: 2,
        cell: ({ source, value }) => (source === "service" ? "–" : sayKey(value.key)),
      },
      SOURCE,
      CHANGED,
      {
        title: ACTIONS,
        cell: (member) => (
          <RowMenu
            of={member}
            open={open}
            more={[
              {
                text: "Test, and add models",
                href: `/console/catalog/add?${new URLSearchParams({ provider: member.name })}`,
              },
            ]}
          />
        ),
      },
    ]}
  />
);

const sayKey = (key: unknown): string => {
  if (Array.isArray(key)) return `${key.length} stored`;
  const text = String(key ?? "");
  return text.startsWith("sealed ")
    ? "stored"
    : text.startsWith("${")
      ? text
      : text === ""
        ? "none"
        : "in the file";
};
