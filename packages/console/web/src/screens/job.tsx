import { useRoute } from "preact-iso";
import { whoseIn } from "../requests/source.ts";
import { useParams } from "../state/url.ts";
import { JobCard } from "../ui/job-card.tsx";
import { Head } from "../ui/parts.tsx";

/** One job: its state while it goes on, its files, what it came to. */
export default function JobPage() {
  const id = useRoute().params.id ?? "";
  const [params] = useParams();
  const whose = whoseIn(params);
  return (
    <>
      <Head title="Job" about={<a href={`/console/jobs${whose === "all" ? "?of=all" : ""}`}>All jobs</a>} />
      <JobCard id={id} whose={whose} />
    </>
  );
}
