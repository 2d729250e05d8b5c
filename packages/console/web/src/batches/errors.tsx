import { useQuery } from "@tanstack/preact-query";
import { counted } from "../format.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Clip } from "../ui/clip.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";
import { lineErrors } from "./line-errors.ts";
import { type Batch, requestsOf } from "./words.ts";

/** The first lines that ended without an answer, and why. */
export function LineErrors({ of: batch, file }: { of: Batch; file: string }) {
  const { id, surface, lines } = batch;
  const path =
    surface === "msgstyle"
      ? `/api/msgstyle/v1/messages/batches/${encodeURIComponent(id)}/results`
      : `/api/chatstyle/v1/files/${encodeURIComponent(file)}/content`;
  const found = useQuery({
    queryKey: ["batch", id, "errors"],
    queryFn: ({ signal }) => lineErrors(path, signal),
  });
  const all = lines.failed + lines.dropped;
  return (
    <Section title="Lines without an answer">
      <Awaited label="the errors" rows={Math.min(all, 8)} of={found}>
        {(errors) => (
          <>
            {errors.length > 0 && (
              <Table
                caption="Lines without an answer"
                rows={errors}
                keyOf={({ place }) => String(place)}
                columns={[
                  {
                    title: "custom_id",
                    cell: ({ name }) => <Clip>{name === "" ? "–" : name}</Clip>,
                    href: ({ number }) =>
                      number === undefined ? undefined : requestsOf(batch, { requestId: `${id}/${number}` }),
                  },
                  { title: "Error", card: "side", cell: ({ code }) => <code>{code}</code> },
                  { title: "Why", card: "line", cell: ({ message }) => <span class="wrap">{message}</span> },
                ]}
              />
            )}
            {errors.length < all && (
              <p class="faint">
                {errors.length === 0
                  ? "They stand further down in the file of answers"
                  : "These are the first"}
                : {counted(all, "line")} in all.
              </p>
            )}
          </>
        )}
      </Awaited>
    </Section>
  );
}
