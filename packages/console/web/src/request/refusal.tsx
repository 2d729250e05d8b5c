import { lineFact } from "../batches/line-fact.tsx";
import type { Refusal } from "../requests/refused.ts";
import { inZone } from "../state/zone.ts";
import { accountFact } from "../ui/account-name.tsx";
import { KeyName } from "../ui/key-name.tsx";
import { Facts, Id, Status, When } from "../ui/parts.tsx";
import { inWords, PROTOCOLS } from "./words.ts";

/** A request that was refused before it had a record: the sentence that it got, and what is known of it. */
export const OneRefusal = ({ of: refusal }: { of: Refusal }) => (
  <>
    <p class="strip bad">{refusal.message ?? "The sentence of the answer is not kept."}</p>
    <Facts
      of={[
        ["Status", <Status key="s" of="refused" />],
        ["Answer", `${refusal.status} ${refusal.code}`],
        [inZone("Time"), <When key="t" at={refusal.createdAt} />],
        ...accountFact(refusal.userId),
        ["Model", refusal.model ?? "none was read"],
        [
          "Key",
          refusal.apiKeyId === undefined ? (
            "none, a session"
          ) : (
            <KeyName key="k" of={refusal.apiKeyId} account={refusal.userId} />
          ),
        ],
        ...lineFact(refusal.requestId, refusal.userId),
        ["Surface", inWords(PROTOCOLS, refusal.surface)],
        ["Cost", "nothing"],
        ["Request id", <Id key="r" of={refusal.requestId} />],
      ]}
    />
  </>
);
