import { useSignal } from "@preact/signals";
import type { Answer } from "../api/client.ts";
import { FAULTS, inWords } from "../request/words.ts";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";

type Failure = Answer<"/api/admin/providers/{providerId}">["failures"][number];

/** What happened: the status of the answer and its code, or why there was none. */
function happened({ status, fault, error }: Failure): string {
  const code = error?.code ?? error?.type;
  const answer = fault !== undefined ? inWords(FAULTS, fault) : `answered ${status ?? "nothing"}`;
  return code === undefined ? answer : `${answer} ${code}`;
}

/** The failures that are shown at first. */
const FIRST = 10;

/** The last calls that a provider failed or refused, each with its own words, as far as they are kept. */
export function Failures({ of: failures }: { of: readonly Failure[] }) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? failures : failures.slice(0, FIRST);
  return (
    <Section
      title="Last failed calls"
      about="Also those that were sent again elsewhere, and answered there."
      acts={
        shown.length === failures.length ? undefined : (
          <button
            type="button"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            Show all {failures.length}
          </button>
        )
      }
    >
      {failures.length === 0 ? (
        <p class="faint">None.</p>
      ) : (
        <Table
          caption="Last failed calls"
          rows={shown}
          keyOf={({ generationId, entry, at }) => `${generationId} ${entry} ${at}`}
          columns={[
            {
              title: "Time",
              time: ({ at }) => at,
              href: ({ generationId }) => `/console/requests/${encodeURIComponent(generationId)}`,
            },
            { title: "Model", cell: ({ model }) => model, drops: 2 },
            { title: "What happened", cell: (one) => <span class="bad">{happened(one)}</span> },
            {
              title: "Its words",
              cell: ({ error }) => {
                const words = error?.message ?? error?.body;
                return words === undefined ? "–" : <span class="wrap">{words}</span>;
              },
              card: "line",
            },
          ]}
        />
      )}
    </Section>
  );
}
