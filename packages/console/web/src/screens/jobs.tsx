import { ErrorBoundary, lazy } from "preact-iso";
import { whoseIn } from "../requests/source.ts";
import { useParams } from "../state/url.ts";

/** Each is loaded by whom it is for. */
const AccountJobs = lazy(() => import("../jobs/account-list.tsx"));
const AllJobs = lazy(() => import("../jobs/all-list.tsx"));

/** Images, videos and speech that were ordered: those of the account, or of all accounts. */
export default function Jobs() {
  const [params] = useParams();
  return <ErrorBoundary>{whoseIn(params) === "all" ? <AllJobs /> : <AccountJobs />}</ErrorBoundary>;
}
