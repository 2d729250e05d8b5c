import { size } from "../format.ts";
import { Icon } from "../ui/icons.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";
import { type Batch, isRunning } from "./words.ts";

const USES: Record<Batch["files"][number]["use"], string> = {
  input: "Requests",
  output: "Answers",
  errors: "Lines without an answer",
};

/** The files of a batch that can be downloaded. */
export const BatchFiles = ({ of: batch }: { of: Batch }) => (
  <Section
    title="Files"
    {...(isRunning(batch) && { about: "Those of the answers are written when the last line has ended." })}
  >
    {batch.files.length === 0 ? (
      <p class="faint">They have been removed, at the end of their time.</p>
    ) : (
      <Table
        caption="Files"
        rows={batch.files}
        keyOf={({ id }) => id}
        columns={[
          { title: "File", cell: ({ use }) => USES[use] },
          { title: "Size", isNumber: true, card: "bare", cell: (file) => size(file.size) },
          { title: "Kept until", card: "line", time: ({ expiresAt }) => expiresAt },
          {
            title: "Actions",
            cell: ({ use, name, downloadUrl }) => (
              <a
                class="button quiet"
                href={downloadUrl}
                download={name}
                aria-label={`Download: ${USES[use]}`}
              >
                <Icon name="download" />
                Download
              </a>
            ),
          },
        ]}
      />
    )}
  </Section>
);
