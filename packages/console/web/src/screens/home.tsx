import { ErrorBoundary, lazy } from "preact-iso";
import { operator, session } from "../state/session.ts";
import { useParams } from "../state/url.ts";

/** Each is loaded by whom it is for. */
const AccountHome = lazy(() => import("../home/account-home.tsx"));
const OperatorHome = lazy(() => import("../home/operator-home.tsx"));

/** What is looked at first: the own account; all accounts for operators without one, and for others if they choose. */
export default function Home() {
  const [{ of }] = useParams();
  const isOfAll = operator.value !== null && (session.value === null || of === "all");
  return <ErrorBoundary>{isOfAll ? <OperatorHome /> : <AccountHome />}</ErrorBoundary>;
}
