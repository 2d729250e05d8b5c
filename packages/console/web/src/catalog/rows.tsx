import { Badge } from "../ui/badge.tsx";
import type { Column } from "../ui/column.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import type { Member } from "./calls.ts";
import { nameOf, SOURCES } from "./words.ts";

/** Where a member can be changed, and what keeps it from being in force. */
const Source = ({ of: { source, file, problems } }: { of: Member }) => (
  <span class="badges">
    <Badge {...(source === "database" && { tone: "accent" as const })} title={file ?? ""}>
      {SOURCES[source]}
    </Badge>
    {problems.length > 0 && (
      <Badge tone="bad" title={problems.join("\n")}>
        left out
      </Badge>
    )}
  </span>
);

/** Where members are declared, and when they were changed. */
export const SOURCE: Column<Member> = {
  title: "Declared",
  cell: (member) => <Source of={member} />,
  card: "bare",
};
export const CHANGED: Column<Member> = { title: "Changed", time: ({ changedAt }) => changedAt, drops: 1 };

/** The members that a table shows, and what opens a dialog by its name in the address. */
export interface MemberTableProps {
  of: readonly Member[];
  open: (params: Record<string, string>) => void;
}

interface RowMenuProps {
  of: Member;
  /** Opens a dialog by its name in the address. */
  open: (params: Record<string, string>) => void;
  /** What else can be done. */
  more?: readonly (MenuItem | false)[];
}

/** What can be done with a member; what is declared elsewhere is changed there. */
export function RowMenu({ of: member, open, more = [] }: RowMenuProps) {
  const at = `${member.section}:${member.name}`;
  const isHere = member.source === "database";
  const items = [
    isHere && { text: "Change", onClick: () => open({ edit: at }) },
    ...more,
    isHere && { text: "Remove", isDanger: true, onClick: () => open({ remove: at }) },
  ];
  return items.some(Boolean) ? <Menu label={`Actions for ${nameOf(member)}`} items={items} /> : null;
}
