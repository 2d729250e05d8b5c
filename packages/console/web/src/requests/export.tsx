import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { chosenIn, type Params } from "./source.ts";

/** Downloads all records that the filters let through, and says beforehand how many there are. */
export function Export({ params }: { params: Params }) {
  const { account: _, ...filters } = chosenIn(params);
  const counted = useQuery({
    queryKey: ["requests", "count", filters],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage/count", { query: filters, signal }),
  });
  const total = counted.data?.total;
  const rows = total === undefined ? "all rows" : `${count(total)} ${total === 1 ? "row" : "rows"}`;
  const href = (format: string): string =>
    `/api/compat/v1/usage/export?${new URLSearchParams({ ...(filters as Record<string, string>), format })}`;
  return (
    <Menu
      label={`Export ${rows}`}
      items={[
        { text: "CSV", icon: "download", href: href("csv"), isFile: true },
        { text: "JSON lines", icon: "download", href: href("jsonl"), isFile: true },
      ]}
    >
      <span class="counted">Export {rows}</span>
      <Icon name="down" />
    </Menu>
  );
}
