interface RefusalProps {
  /** The models that do not take it. */
  by: readonly string[];
  /** A model that does. */
  taker: string | undefined;
  onUse: (model: string) => void;
}

/** Why a parameter cannot be set, and a model with which it can. */
export const Refusal = ({ by, taker, onUse }: RefusalProps) => (
  <>
    Not taken by {by.join(" and ")}.{" "}
    {taker !== undefined && (
      <button type="button" class="quiet" onClick={() => onUse(taker)}>
        Use {taker}
      </button>
    )}
  </>
);
