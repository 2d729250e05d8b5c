import { Empty } from "../ui/parts.tsx";
import type { Detail } from "./detail.ts";

/** Why a request is not shown. */
export const RequestGone = () => (
  <Empty>
    <p>The content of this request was not stored, or has been deleted since.</p>
  </Empty>
);

/** Why a reply is not shown. */
export function ReplyGone({ of: { status, modality } }: { of: Pick<Detail, "status" | "modality"> }) {
  if (status === "pending") return <p class="faint">The reply is kept once it has ended.</p>;
  if (modality !== "text") return null;
  if (status === "failed" || status === "cancelled") return <p class="faint">There is no reply.</p>;
  return (
    <p class="faint">
      The reply was not stored, or has been deleted since. With <code>records.replies: full</code> in the
      configuration, records keep the replies of text models.
    </p>
  );
}
