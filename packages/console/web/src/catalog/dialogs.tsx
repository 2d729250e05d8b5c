import { useQueryClient } from "@tanstack/preact-query";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { type Member, planOf, type Section, setModelActive, undoOf } from "./calls.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { EditMember } from "./edit.tsx";
import { withPart } from "./values.ts";
import { SendTest } from "./webhook-form.tsx";
import { KINDS, nameOf, sayDone } from "./words.ts";

/** What is done with a member, by the name that it has in the address of the screen. */
export type Act = "edit" | "remove" | "stop" | "serve" | "test";

const SECTIONS = Object.keys(KINDS) as Section[];
/** The sections whose members some acts are for. */
const ACTS: { [act in Act]?: readonly Section[] } = {
  stop: ["models"],
  serve: ["models"],
  test: ["webhooks"],
};

interface DialogsProps {
  params: Readonly<Record<string, string>>;
  members: readonly Member[];
  onClose: () => void;
}

/** The dialog that the address names: `?new=models`, `?edit=models:fast`. */
export function Dialogs({ params, members, onClose }: DialogsProps) {
  const shared = { members, onClose };
  if (params.new !== undefined) {
    const section = SECTIONS.find((one) => one === params.new);
    return section ? <EditMember key="new" section={section} {...shared} /> : <NoMember onClose={onClose} />;
  }
  if (params.undo !== undefined) return <Undo key="undo" revision={Number(params.undo)} onClose={onClose} />;
  for (const act of ["edit", "remove", "stop", "serve", "test"] as const) {
    const [section, ...name] = (params[act] ?? "").split(":");
    const member = members.find((one) => one.section === section && one.name === name.join(":"));
    if (params[act] === undefined) continue;
    if (!member || !(ACTS[act] ?? SECTIONS).includes(member.section)) return <NoMember onClose={onClose} />;
    return <OneDialog key={params[act]} act={act} member={member} {...shared} />;
  }
  return null;
}

/** A change of the past is undone after what that would do was seen. */
const Undo = ({ revision, onClose }: { revision: number; onClose: () => void }) => (
  <ChangeDialog
    title="Undo this change"
    act="Undo it"
    says={`The change ${revision} was undone.`}
    plan={undoOf([revision])}
    onClose={onClose}
  />
);

const NoMember = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="It is not declared" onClose={onClose}>
    <p>What this address names was removed, or renamed.</p>
    <button type="button" onClick={onClose}>
      Close
    </button>
  </Dialog>
);

interface OneProps {
  act: Act;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

function OneDialog({ act, member, members, onClose }: OneProps) {
  const { section, name, revision, value } = member;
  const what = nameOf(member);
  if (act === "edit")
    return <EditMember section={section} member={member} members={members} onClose={onClose} />;
  if (act === "test")
    return (
      <Dialog title={`Test ${what}`} onClose={onClose}>
        <p>
          The event <code>webhook.test</code> is sent once, signed like all others.
        </p>
        <SendTest name={name} />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </Dialog>
    );
  if (act !== "remove" && member.source !== "database")
    return <StopOther act={act} name={name} onClose={onClose} />;
  const start = { section, name, ...(revision !== undefined && { revision }) };
  const isStop = act === "stop";
  const done = act === "remove" ? "removed" : isStop ? "stopped" : "served again";
  return (
    <ChangeDialog
      title={`${act === "remove" ? "Remove" : isStop ? "Stop" : "Serve"} ${what}`}
      act={act === "remove" ? "Remove it" : isStop ? "Stop it now" : "Serve it"}
      says={sayDone(section, name, done)}
      plan={planOf(() => [
        act === "remove" ? start : { ...start, value: withPart(value, "active", isStop ? false : undefined) },
      ])}
      onClose={onClose}
    />
  );
}

/** Stops a model that is not declared here, for as long as that can be. */
function StopOther({ act, name, onClose }: { act: Act; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const isStop = act === "stop";
  const submit = async (): Promise<void> => {
    await setModelActive(queries, name, !isStop);
    onClose();
  };
  return (
    <FormDialog
      title={`${isStop ? "Stop" : "Serve"} the model ${name}`}
      act={isStop ? "Stop it now" : "Serve it"}
      isDanger={isStop}
      onSubmit={submit}
      onClose={onClose}
    >
      {isStop && <p>All further requests for {name} will be refused, in all processes within a second.</p>}
      <p>
        It is declared elsewhere: the next start or reload of the configuration serves it as it says there.
      </p>
    </FormDialog>
  );
}
