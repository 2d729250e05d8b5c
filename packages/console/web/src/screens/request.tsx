import { useRoute } from "preact-iso";
import { useDetail } from "../request/detail.ts";
import { OneRequest } from "../request/one.tsx";
import { session } from "../state/session.ts";
import { useParams } from "../state/url.ts";
import { Head } from "../ui/parts.tsx";

/** One request in depth: the way it took, what was lost, and how its price came to be. */
export default function Request() {
  const id = useRoute().params.id ?? "";
  const [params, set] = useParams();
  const whose = session.value === null ? "all" : "account";
  const { data } = useDetail(id, whose);
  return (
    <>
      <Head title={data ? `Request to ${data.model}` : "Request"} />
      <OneRequest {...{ id, whose }} tab={params.tab} onTab={(tab) => set({ tab })} />
    </>
  );
}
