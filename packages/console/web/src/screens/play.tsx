import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useCallback, useEffect } from "preact/hooks";
import { call } from "../api/client.ts";
import { Conversation } from "../play/conversation.tsx";
import { draft, panes, startDesk } from "../play/desk.ts";
import { DryRun } from "../play/dry-run.tsx";
import { FormatFields } from "../play/format-fields.tsx";
import { type Model, ModelRows } from "../play/model-rows.tsx";
import { useOpening } from "../play/opening.ts";
import { Panes } from "../play/panes.tsx";
import { Parameters } from "../play/parameters.tsx";
import { PlayActs } from "../play/play-acts.tsx";
import { usePlayKeys } from "../play/play-keys.ts";
import { SendBar } from "../play/send-bar.tsx";
import { ToolFields } from "../play/tool-fields.tsx";
import { VariableFields } from "../play/variable-fields.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { useNarrow } from "../ui/narrow.ts";
import { Head, Loading } from "../ui/parts.tsx";
import "../play/play.css";

/** One request to several models and protocols at once: the exact bodies, the answers as they come, and what they cost. */
export default function Play() {
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => call("get", "/api/v1/ai/models", { signal }),
  });
  return (
    <>
      <Head
        title="Playground"
        about="Send one request to several models and protocols, and compare replies, losses and cost. The account pays, at most $1 a day."
      >
        <PlayActs />
      </Head>
      <Awaited label="models" of={models}>
        {(data) => <Playground models={data.filter(({ outputModalities: made }) => made.includes("text"))} />}
      </Awaited>
    </>
  );
}

function Playground({ models }: { models: readonly Model[] }) {
  const fault = useOpening(models.map(({ modelId }) => modelId));
  const isNarrow = useNarrow();
  const isExplaining = useSignal(false);
  const open = useSignal(1);
  useEffect(startDesk, []);
  const explain = useCallback(() => {
    isExplaining.value = true;
  }, [isExplaining]);
  const goTo = useCallback(
    (number: number) => {
      if (number > panes.value.length) return;
      open.value = number;
      requestAnimationFrame(() => document.getElementById(`pane-${number}`)?.focus());
    },
    [open],
  );
  usePlayKeys({ onExplain: explain, onPane: goTo });
  if (!draft.value) return <Loading label="the draft" />;
  const { request } = draft.value;
  return (
    <div class="playground">
      <aside aria-label="Settings">
        <ModelRows models={models} />
        <details class="settings" open={!isNarrow}>
          <summary>Parameters</summary>
          <Parameters of={request} />
        </details>
        <details class="settings" open={request.tools !== undefined || request.format !== undefined}>
          <summary>Tools and format</summary>
          <ToolFields of={request} />
          <FormatFields of={request} />
        </details>
      </aside>
      <div class="desk">
        {fault !== undefined && (
          <p class="wrong" role="alert">
            {fault}
          </p>
        )}
        <Conversation of={request} />
        <VariableFields of={request} />
        <SendBar onExplain={explain} />
        <Panes
          open={Math.min(open.value, Math.max(1, panes.value.length))}
          onOpen={(number) => {
            open.value = number;
          }}
        />
      </div>
      {isExplaining.value && (
        <DryRun
          onClose={() => {
            isExplaining.value = false;
          }}
        />
      )}
    </div>
  );
}
