import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { copyText } from "../ui/copy.ts";
import { draft, setDraft } from "./desk.ts";
import { emptyDraft } from "./draft.ts";
import { withoutFiles } from "./files.ts";
import { putAside } from "./history.ts";
import { HistoryDialog } from "./history-dialog.tsx";
import { toFragment } from "./share.ts";

/** What can be done with the draft as a whole. */
export function PlayActs() {
  const isOpen = useSignal(false);
  const message = useSignal("");
  const button = useRef<HTMLButtonElement>(null);
  const say = (text: string): void => {
    message.value = text;
    setTimeout(() => {
      message.value = "";
    }, 5_000);
  };
  const share = async (): Promise<void> => {
    if (!draft.value || !button.current) return;
    const { draft: light, count } = withoutFiles(draft.value);
    const fragment = await toFragment(light);
    if (fragment === undefined) {
      say("The draft is too long for a link.");
      return;
    }
    const address = location.pathname + location.search + fragment;
    history.replaceState(history.state, "", address);
    await copyText(location.origin + address, button.current);
    say(
      count > 0 ? `Link copied, without ${count === 1 ? "the file" : `the ${count} files`}.` : "Link copied.",
    );
  };
  return (
    <>
      <span class="faint" role="status">
        {message.value}
      </span>
      <button
        type="button"
        class="quiet"
        disabled={!draft.value}
        onClick={() => {
          putAside(draft.value);
          const models = draft.value?.models.map((one) => ({ ...one, bodies: {} })) ?? emptyDraft.models;
          setDraft({ ...emptyDraft, models });
        }}
      >
        New
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        History
      </button>
      <button ref={button} type="button" class="quiet" onClick={() => void share()}>
        Share
      </button>
      <a class="button" href="/console/media">
        Images, video, speech
      </a>
      {isOpen.value && (
        <HistoryDialog
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
