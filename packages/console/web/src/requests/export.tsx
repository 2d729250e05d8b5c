import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { kindsIn, outcomesIn } from "./refused.ts";
import { chosenIn, type Params, type Whose } from "./source.ts";

const PATHS = { account: "/api/compat/v1/usage/export", all: "/api/admin/generations/export" } as const;

/** Downloads all records that the filters let through, and says beforehand how many there are. Refused requests have none. */
export function Export({ params, whose }: { params: Params; whose: Whose }) {
  const { account, provider, code: _, status: _status, ...chosen } = chosenIn(params);
  const status = outcomesIn(chosenIn(params));
  const rest = { ...chosen, ...(status !== undefined && { status }) };
  const ofOperator = {
    ...(account !== undefined && { account }),
    ...(provider !== undefined && { provider }),
  };
  const filters = whose === "all" ? { ...rest, ...ofOperator } : rest;
  const counted = useQuery({
    queryKey: ["requests", whose, "count", filters],
    queryFn: ({ signal }) =>
      whose === "all"
        ? call("get", "/api/admin/generations/count", { query: filters, signal })
        : call("get", "/api/compat/v1/usage/count", { query: rest, signal }),
  });
  const total = counted.data?.total;
  const rows = total === undefined ? "all rows" : `${count(total)} ${total === 1 ? "row" : "rows"}`;
  const href = (format: string): string =>
    `${PATHS[whose]}?${new URLSearchParams({ ...(filters as Record<string, string>), format })}`;
  return (
    <Menu
      label={`Export ${rows}`}
      items={[
        {
          ...{ text: "CSV", icon: "download", href: href("csv"), isFile: true },
          ...(kindsIn(chosenIn(params)).refused && { begins: "Without refused requests" }),
        },
        { text: "JSON lines", icon: "download", href: href("jsonl"), isFile: true },
      ]}
    >
      <span class="counted">Export {rows}</span>
      <Icon name="down" />
    </Menu>
  );
}
