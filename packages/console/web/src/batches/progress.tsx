import { count } from "../format.ts";
import { isRunning, type ListedBatch } from "./words.ts";

/** How many lines of a batch have ended, and how many of them without an answer. */
export function Progress({ of: batch }: { of: ListedBatch }) {
  const { total, succeeded, failed, dropped } = batch.lines;
  const ended = succeeded + failed + dropped;
  if (total === 0) return <span class="faint">{isRunning(batch) ? "not read yet" : "none"}</span>;
  return (
    <span class="job-state">
      {isRunning(batch) && <progress max={total} value={ended} aria-label={`Lines of ${batch.id}`} />}
      <span class="number">
        {count(ended)} of {count(total)}
      </span>
      {failed > 0 && <span class="bad number">{count(failed)} failed</span>}
    </span>
  );
}
