import { useSignal } from "@preact/signals";
import type { PaneBody as Body } from "../codecs/calls.ts";
import { codecs } from "../codecs/codecs.ts";
import { parsed } from "../parsed.ts";
import { Json } from "../ui/json.tsx";
import type { Mark } from "../ui/mark.ts";
import { changeDraft, changeRequest } from "./desk.ts";
import { type PaneOf, withBody } from "./draft.ts";
import type { Explanation } from "./explain.ts";
import { titleOfParam } from "./text-params.ts";

interface PaneBodyProps {
  of: PaneOf;
  body: Body;
  /** What would be lost on the way to the provider. */
  losses: NonNullable<Explanation["losses"]>;
}

/** The request of a pane as it would be sent, with what gets lost marked on it. It can be typed into. */
export function PaneBodyView({ of: pane, body, losses }: PaneBodyProps) {
  const isEdited = useSignal(false);
  const { text, differs, fault } = body;
  const set = (next: string | undefined): void => changeDraft((draft) => withBody(draft, pane.id, next));
  const adopt = async (): Promise<void> => {
    const read = await codecs("decode", text, pane.protocol, { model: pane.model, stream: true });
    if ("fault" in read) return;
    changeRequest(() => ({ ...read.request, model: "" }));
    set(undefined);
  };
  const value = fault === undefined ? parsed(text) : undefined;
  const showsField = isEdited.value || value === undefined;
  return (
    <>
      {body.losses.map(({ path, why, detail }) => (
        <p key={path} class="warn wrap">
          <code>{path}</code> {why} in this protocol
          {detail !== undefined && `: ${detail}`}
        </p>
      ))}
      {differs && differs.length > 0 && (
        <p class="warn">Differs from the other panes in {differs.map(titleOfParam).join(", ")}.</p>
      )}
      {differs?.length === 0 && (
        <p class="faint">Written in another way than the draft, and says the same.</p>
      )}
      {fault !== undefined && <p class="wrong">{fault}</p>}
      <div class="acts">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isEdited.value = !isEdited.value;
          }}
        >
          {isEdited.value ? "Done" : "Edit the body"}
        </button>
        {pane.body !== undefined && (
          <button type="button" class="quiet" onClick={() => set(undefined)}>
            Back to the draft
          </button>
        )}
        {differs && differs.length > 0 && (
          <button type="button" class="quiet" onClick={() => void adopt()}>
            Use for all panes
          </button>
        )}
      </div>
      {showsField ? (
        <textarea
          class="code"
          aria-label="Request body"
          rows={12}
          spellcheck={false}
          value={pane.body ?? text}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <Json value={value} label="Request body" marks={toMarks(losses)} />
      )}
    </>
  );
}

export const toMarks = (losses: PaneBodyProps["losses"]): Map<string, Mark> =>
  new Map(
    losses.map(({ path, why, detail }) => [
      path,
      { tone: why === "unsupported" ? "bad" : "warn", text: detail ? `${why}: ${detail}` : why },
    ]),
  );
