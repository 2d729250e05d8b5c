import FirstCall from "./first-call.tsx";
import UseIt from "./use-it.tsx";

/** How to begin with a new key: what to copy, and its first call once that comes. */
export default function Begin({ id, secret }: { id: string; secret: string }) {
  return (
    <>
      <h3>Use it</h3>
      <UseIt secret={secret} />
      <FirstCall keyId={id} />
    </>
  );
}
