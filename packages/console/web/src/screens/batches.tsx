import { ErrorBoundary, lazy } from "preact-iso";
import { whoseIn } from "../requests/source.ts";
import { useParams } from "../state/url.ts";

/** Each is loaded by whom it is for. */
const AccountBatches = lazy(() => import("../batches/account-list.tsx"));
const AllBatches = lazy(() => import("../batches/all-list.tsx"));

/** Requests that are run from files: those of the account, or of all accounts. */
export default function Batches() {
  const [params] = useParams();
  return <ErrorBoundary>{whoseIn(params) === "all" ? <AllBatches /> : <AccountBatches />}</ErrorBoundary>;
}
