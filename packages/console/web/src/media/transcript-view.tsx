import { Table } from "../ui/table.tsx";
import type { Passage, Transcript } from "./transcript.ts";

/** Seconds as players write them: `1:04.5`. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${Math.floor(tenths / 600)}:${rest}`;
}

/** A transcript: its text, and the passages and words with their times, as far as they were asked for. */
export const TranscriptView = ({ of: { text, language, seconds, segments, words } }: { of: Transcript }) => (
  <>
    <pre class="answer">{text}</pre>
    {(language !== undefined || seconds !== undefined) && (
      <p class="faint">{[language, seconds !== undefined && clock(seconds)].filter(Boolean).join(", ")}</p>
    )}
    {segments && <Passages title="Passages" of={segments} />}
    {words && <Passages title="Words" of={words} />}
  </>
);

const Passages = ({ title, of }: { title: string; of: readonly Passage[] }) => (
  <details open={title === "Passages"}>
    <summary>
      {title} ({of.length})
    </summary>
    <Table
      caption={title}
      isSmall
      rows={of.map((passage, at) => ({ ...passage, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { title: "From", isNumber: true, cell: ({ start }) => clock(start), card: "side" },
        { title: "To", isNumber: true, cell: ({ end }) => clock(end), card: "off" },
        ...(of.some(({ speaker }) => speaker !== undefined)
          ? [{ title: "Speaker", cell: ({ speaker = "–" }: Passage) => speaker, card: "bare" as const }]
          : []),
        { title: "Text", cell: ({ text }) => text, card: "lead" },
      ]}
    />
  </details>
);
