import { count, duration, usd } from "../format.ts";
import { inZone, shownMoment } from "../state/zone.ts";
import { MEASURES } from "../usage/measures.ts";
import { type Params, useTotals, type Whose } from "./source.ts";

/** What the chosen requests add up to, in one line that has its height before its figures. */
export function Sums({ whose, params }: { whose: Whose; params: Params }) {
  const { data, isError } = useTotals(whose, params);
  if (isError) return null;
  const { requests, errors } = MEASURES;
  const share = data && errors.of(data);
  const figures: [string, string][] = [
    ["requests", data ? count(requests.of(data)) : "–"],
    ["cost", data ? usd(data.usdCost) : "–"],
    ["errors", share === undefined ? "–" : errors.show(share)],
    ["median", duration(data?.p50Ms)],
    ["p95", duration(data?.p95Ms)],
    ["first token", duration(data?.p50FirstMs)],
  ];
  return (
    <dl class="sums" aria-label="Sums of these requests" aria-busy={data === undefined}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
      {data?.since !== undefined && (
        <div>
          <dt>{inZone("of the requests since")}</dt>
          <dd class="number">{shownMoment(data.since)}</dd>
        </div>
      )}
    </dl>
  );
}
