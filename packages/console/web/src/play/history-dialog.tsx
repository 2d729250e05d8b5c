import { useQuery } from "@tanstack/preact-query";
import { count, usd } from "../format.ts";
import { findDetail } from "../request/detail.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, When } from "../ui/parts.tsx";
import { draft, setDraft } from "./desk.ts";
import { panesOf, titleOf } from "./draft.ts";
import { clearPast, type Past, past, putAside } from "./history.ts";
import { paneState } from "./pane-state.ts";
import { generationOf } from "./runs.ts";

/** What was sent in this session, to go back to. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const open = (one: Past): void => {
    putAside(draft.value);
    setDraft(one.draft);
    for (const [id, run] of Object.entries(one.runs)) paneState(id).run.value = run;
    onClose();
  };
  return (
    <Dialog title="History of this session" onClose={onClose}>
      {past.value.length === 0 ? (
        <Empty>
          <p>What you send stands here, until this tab is closed.</p>
        </Empty>
      ) : (
        <ol class="past">
          {past.value.map((one) => (
            <li key={one.at}>
              <button type="button" onClick={() => open(one)}>
                <span class="name">{titleOf(one.draft)}</span>
                <span class="faint">
                  <When at={one.at} /> · {modelsOf(one)}
                </span>
                <Costs of={one} />
              </button>
            </li>
          ))}
        </ol>
      )}
      <form method="dialog" class="acts">
        <button type="submit">Close</button>
        {past.value.length > 0 && (
          <button type="button" class="quiet" onClick={clearPast}>
            Clear
          </button>
        )}
      </form>
    </Dialog>
  );
}

const modelsOf = ({ draft: { models } }: Past): string => models.map(({ model }) => model).join(", ");

function Costs({ of: { draft: sent, runs } }: { of: Past }) {
  const ids = panesOf(sent).flatMap(({ id }) => (runs[id] ? (generationOf(runs[id]) ?? []) : []));
  const { data } = useQuery({
    queryKey: ["settled", ...ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => findDetail(id, "account", signal))),
  });
  const sum = data?.reduce((total, { usdCost = 0 }) => total + usdCost, 0);
  return (
    <span class="faint number">
      {ids.length === 0 ? "not sent" : ids.length === 1 ? "1 answer" : `${count(ids.length)} answers`}
      {ids.length > 0 && sum !== undefined && ` · ${usd(sum)}`}
    </span>
  );
}
