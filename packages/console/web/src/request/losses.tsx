import { Json } from "../ui/json.tsx";
import type { Mark } from "../ui/mark.ts";
import { Table } from "../ui/table.tsx";

import type { Detail } from "./detail.ts";

interface Lost {
  path: string;
  why: "unsupported" | "approximated";
  detail?: string | undefined;
  side: "request" | "reply";
}

export const lossesOf = ({ losses = [], replyLosses = [] }: Detail): Lost[] => [
  ...losses.map((loss) => ({ ...loss, side: "request" }) as Lost),
  ...replyLosses.map((loss) => ({ ...loss, side: "reply" }) as Lost),
];

/** What was lost on the way, on the request itself. */
export function Losses({ of: one }: { of: Detail }) {
  const lost = lossesOf(one);
  const marks = new Map<string, Mark>(
    lost
      .filter(({ side }) => side === "request")
      .map(({ path, why, detail }) => [
        path,
        { tone: why === "unsupported" ? "bad" : "warn", text: detail ? `${why}: ${detail}` : why },
      ]),
  );
  return (
    <>
      {lost.length === 0 ? (
        <p>Nothing was lost in translation, neither of the request nor of the reply.</p>
      ) : (
        <Table
          caption="Losses"
          rows={lost}
          keyOf={({ side, path }) => `${side} ${path}`}
          columns={[
            { title: "Side", cell: ({ side }) => side },
            { title: "Path", cell: ({ path }) => <code>{path || "/"}</code> },
            { title: "Effect", cell: ({ why }) => why },
            { title: "Detail", cell: ({ detail }) => detail ?? "–" },
          ]}
        />
      )}
      {lost.length > 0 && (
        <p class="faint">
          Send <code>x-loss-policy: strict</code> to have such a request refused instead.
        </p>
      )}
      {one.request ? (
        <Json value={one.request} label="Request, with losses" marks={marks} />
      ) : (
        <p class="faint">The content of this request was not stored, or has been deleted since.</p>
      )}
    </>
  );
}
