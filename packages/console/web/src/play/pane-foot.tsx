import { count, duration, usd } from "../format.ts";
import { generationOf, type Run, rateOf } from "./runs.ts";
import { useRecord } from "./use-record.ts";

/** Seconds with hundredths, by which answers are compared. */
const seconds = (ms: number): string => (ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : duration(ms));

/** What an answer took and cost, in one line; the cost is that of its record. */
export function PaneFoot({ of: run, losses }: { of: Run; losses: number }) {
  const id = generationOf(run);
  const hasEnded = run.state !== "running";
  const record = useRecord(hasEnded ? id : undefined);
  const rate = rateOf(run);
  const output = run.usage?.output ?? record?.usage?.completionTokens;
  const facts = [
    run.firstMs !== undefined && `first ${seconds(run.firstMs)}`,
    run.tookMs !== undefined && `all ${seconds(run.tookMs)}`,
    rate !== undefined && `${count(Math.round(rate))} tok/s`,
    typeof output === "number" && output > 0 && `${count(output)} out`,
    hasEnded && id !== undefined && (record ? usd(record.usdCost ?? 0) : "cost …"),
    losses > 0 && (losses === 1 ? "1 loss" : `${losses} losses`),
  ].filter((fact) => fact !== false);
  return (
    <p class="foot number">
      {facts.join(" · ")}
      {id !== undefined && (
        <>
          {facts.length > 0 && " · "}
          <a href={`/console/requests/${encodeURIComponent(id)}`}>request ›</a>
        </>
      )}
    </p>
  );
}
