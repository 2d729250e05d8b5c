import { usd } from "../format.ts";
import { useGatewayState } from "../providers/state.ts";
import { inWords, ONE_BY_ONE, UNITS } from "../request/words.ts";
import { Badges } from "../ui/badge.tsx";
import { Clip } from "../ui/clip.tsx";
import { ACTIONS } from "../ui/column.tsx";
import { Status } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { Member } from "./calls.ts";
import { routesOf } from "./routes.ts";
import { CHANGED, type MemberTableProps, RowMenu, SOURCE } from "./rows.tsx";

/** What callers can ask for, where it goes and what it costs. */
export function ModelTable({ of: members, open }: MemberTableProps) {
  const isActive = useActive();
  const stateOf = (member: Member): boolean => isActive(member.name) ?? member.value.active !== false;
  return (
    <Table
      caption="Models"
      isMain
      rows={members}
      keyOf={({ name }) => name}
      columns={[
        { title: "Model", cell: ({ name }) => <Clip>{name}</Clip> },
        {
          title: "Further names",
          drops: 2,
          cell: ({ value }) => <Badges of={(value.aliases ?? []) as string[]} />,
        },
        {
          title: "Routes",
          cell: (member) => (
            <Clip>
              {routesOf(member.value)
                .map((one) => one.provider)
                .join(", then ")}
            </Clip>
          ),
        },
        { title: "Input", drops: 2, amount: (member) => priceOf(member).input },
        { title: "Output", drops: 2, amount: (member) => priceOf(member).output },
        { title: "Other prices", drops: 1, cell: (member) => <Clip>{sayOthers(priceOf(member))}</Clip> },
        {
          title: "State",
          cell: (member) => <Status of={stateOf(member) ? "active" : "paused"} />,
          card: "side",
        },
        SOURCE,
        CHANGED,
        {
          title: ACTIONS,
          cell: (member) => {
            const at = `models:${member.name}`;
            const isOn = stateOf(member);
            const act = isOn
              ? { text: "Stop it now", isDanger: true, onClick: () => open({ stop: at }) }
              : { text: "Serve it", onClick: () => open({ serve: at }) };
            return <RowMenu of={member} open={open} more={[act]} />;
          },
        },
      ]}
    />
  );
}

/** Whether models are served now, by their ids; undefined for one that the process does not know. */
function useActive(): (model: string) => boolean | undefined {
  const state = useGatewayState();
  const entries = (state.data?.providers ?? []).flatMap((provider) => provider.entries);
  const active = new Map(entries.map(({ model, isModelActive }) => [model, isModelActive]));
  return (model) => active.get(model);
}

/** The price of the first route, in US dollars; media models that have none here have the known ones. */
const priceOf = (member: Member): Record<string, number> => routesOf(member.value)[0]?.price ?? {};

/** Prices beyond those of texts: `$0.04 per image`. */
const sayOthers = ({ input: _, output: _o, ...others }: Record<string, number>): string =>
  Object.entries(others)
    .map(([unit, amount]) => {
      const word = inWords(UNITS, unit).toLowerCase();
      return `${usd(amount)} per ${ONE_BY_ONE.has(unit) ? word.replace(/s$/, "") : `million ${word}`}`;
    })
    .join(", ") || "–";
