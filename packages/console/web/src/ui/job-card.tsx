import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { inZone } from "../state/zone.ts";
import { Awaited } from "./awaited.tsx";
import { Form } from "./form.tsx";
import { isLive, JobState } from "./job-state.tsx";
import { Facts, Id, Money, When } from "./parts.tsx";
import { type Job, Preview } from "./preview.tsx";

const POLL_MS = 1_000;

/** A job as it goes on, to its files and its charge. */
export function JobCard({ id }: { id: string }) {
  const found = useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/jobs/{generationId}", { path: { generationId: id }, signal }),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? POLL_MS : false),
    // Links to files expire, so each opening asks for new ones.
    staleTime: 0,
  });
  const hasEnded = found.data !== undefined && !isLive(found.data);
  const charge = useQuery({
    queryKey: ["request", id],
    enabled: hasEnded,
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage/{generationId}", { path: { generationId: id }, signal }),
  });
  return (
    <Awaited label="the job" of={found}>
      {(job) => <Card of={job} charge={charge.data?.usdCost} renew={() => found.refetch()} />}
    </Awaited>
  );
}

interface CardProps {
  of: Job;
  charge: number | undefined;
  renew: () => Promise<unknown>;
}

function Card({ of: job, charge, renew }: CardProps) {
  const { id } = job;
  const cancel = async (): Promise<void> => {
    await call("delete", "/api/compat/v1/jobs/{generationId}", { path: { generationId: id } });
    await renew();
  };
  return (
    <section class="job" aria-label={`Job ${id}`}>
      <p role="status">
        <JobState of={job} />
      </p>
      {isLive(job) && <Form act="Cancel" isDanger onSubmit={cancel} children={undefined} />}
      {job.error && (
        <p class="wrong" role="alert">
          {job.error.message}
        </p>
      )}
      <Preview of={job} />
      {job.transcript && <pre class="answer">{job.transcript}</pre>}
      <Facts
        of={[
          ["Job", <Id key="i" of={job.id} />],
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
