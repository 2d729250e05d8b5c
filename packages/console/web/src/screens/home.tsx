import { AccountHome } from "../home/account-home.tsx";
import { session } from "../state/session.ts";
import { Empty, Head } from "../ui/parts.tsx";

/** What people look at first: an account its own use, operators without an account their screens. */
export default function Home() {
  if (session.value === null)
    return (
      <>
        <Head title="Home" />
        <Empty>
          <p>
            You are signed in as the operator, without an account. Operator screens are in the navigation.
          </p>
        </Empty>
      </>
    );
  return <AccountHome />;
}
