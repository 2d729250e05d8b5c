import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { readJob } from "../jobs/read-job.ts";
import type { AccountJob, ForeignJob } from "../jobs/words.ts";
import { findDetail } from "../request/detail.ts";
import { ProviderName } from "../request/provider-name.tsx";
import type { Whose } from "../requests/source.ts";
import { inZone } from "../state/zone.ts";
import { accountFact } from "./account-name.tsx";
import { Awaited } from "./awaited.tsx";
import { CancelJob } from "./cancel-job.tsx";
import { isLive, JobState } from "./job-state.tsx";
import { KeyName } from "./key-name.tsx";
import { Facts, Id, Money, When } from "./parts.tsx";
import { Preview } from "./preview.tsx";

const POLL_MS = 1_000;

/** A job as it goes on, to its files and its charge. */
export function JobCard({ id, whose = "account" }: { id: string; whose?: Whose }) {
  const found = useQuery({
    queryKey: ["job", whose, id],
    queryFn: ({ signal }) => readJob(whose, id, signal),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? POLL_MS : false),
    // Links to files expire, so each opening asks for new ones.
    staleTime: 0,
  });
  const hasEnded = found.data !== undefined && !isLive(found.data);
  const charge = useQuery({
    queryKey: ["request", id, whose],
    enabled: hasEnded,
    queryFn: ({ signal }) => findDetail(id, whose, signal),
  });
  return (
    <Awaited label="the job" of={found}>
      {(job) => <Card of={job} charge={charge.data?.usdCost} renew={() => found.refetch()} />}
    </Awaited>
  );
}

interface CardProps {
  of: AccountJob | ForeignJob;
  charge: number | undefined;
  renew: () => Promise<unknown>;
}

function Card({ of: job, charge, renew }: CardProps) {
  const { id } = job;
  const accountJob = "userId" in job ? undefined : job;
  return (
    <section class="job" aria-label={`Job ${id}`}>
      <p role="status">
        <JobState of={job} />
      </p>
      {isLive(job) && (
        <p>
          <CancelJob of={job} onDone={() => void renew()} />
        </p>
      )}
      {job.error && (
        <p class="wrong" role="alert">
          {job.error.message}
        </p>
      )}
      {accountJob && <Preview of={accountJob} />}
      {accountJob?.transcript && <pre class="answer">{accountJob.transcript}</pre>}
      <Facts
        of={[
          ["Job", <Id key="i" of={job.id} />],
          ...("userId" in job ? ownerOf(job) : []),
          ["Kind", job.kind],
          ["Model", job.model],
          [inZone("Created"), <When key="o" at={job.createdAt} />],
          [inZone("Ended"), job.endedAt === undefined ? "–" : <When key="e" at={job.endedAt} />],
          [inZone("Deadline"), <When key="d" at={job.deadline} />],
          ["Provider’s task", job.taskId ?? "–"],
          ["Charge", isLive(job) ? "held until it ends" : <Money key="c" amount={charge} />],
        ]}
      />
      <p>
        <a href={`/console/requests/${encodeURIComponent(id)}?tab=price`}>Price and ledger</a>
      </p>
    </section>
  );
}

/** The account of a job, its key and its provider, for operators. */
const ownerOf = ({ userId, apiKeyId, provider }: ForeignJob): [string, ComponentChildren][] => [
  ...accountFact(userId),
  ["Key", apiKeyId === undefined ? "none, a session" : <KeyName key="k" of={apiKeyId} account={userId} />],
  ["Provider", provider === undefined ? "–" : <ProviderName key="p" of={provider} />],
];
