import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { duration } from "../format.ts";
import type { ListedJob } from "../jobs/words.ts";
import { Badge } from "./badge.tsx";
import { Status } from "./parts.tsx";

export const isLive = ({ status }: Pick<ListedJob, "status">): boolean =>
  status === "queued" || status === "running";

/** A clock that ticks while something waits for it. */
export function useNow(runs: boolean): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return now.value;
}

/** The state of a job and how long it has taken, against the time that it has. */
export function JobState({ of: job }: { of: ListedJob }) {
  const runs = isLive(job);
  const now = useNow(runs);
  const began = Date.parse(job.createdAt);
  const until = job.endedAt === undefined ? now : Date.parse(job.endedAt);
  const elapsed = Math.max(0, until - began);
  const whole = Date.parse(job.deadline) - began;
  return (
    <span class="job-state">
      <Status of={job.status} />
      {runs && (
        <progress max={whole} value={Math.min(elapsed, whole)} aria-label={`Time used by ${job.id}`} />
      )}
      <span class="faint number">
        {duration(elapsed)}
        {runs && ` of ${duration(whole)}`}
      </span>
      {job.isOrphan && (
        <Badge tone="warn" title="What became of it at the provider is not known.">
          outcome unknown
        </Badge>
      )}
    </span>
  );
}
