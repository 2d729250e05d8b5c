import { useRoute } from "preact-iso";
import { JobCard } from "../ui/job-card.tsx";
import { Head } from "../ui/parts.tsx";

/** One job: its state while it goes on, its files, what it came to. */
export default function JobPage() {
  const id = useRoute().params.id ?? "";
  return (
    <>
      <Head title="Job" about={<a href="/console/jobs">All jobs</a>} />
      <JobCard id={id} />
    </>
  );
}
