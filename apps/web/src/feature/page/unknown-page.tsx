import { Header } from "./header.tsx";
import { Link } from "../navigation/link.tsx";
import style from "./unknown-page.module.css";

/** For addresses that name nothing. */
export function UnknownPage() {
  return (
    <>
      <Header title="Nothing here" />
      <div className={style.page}>
        <h1>There is nothing at this address</h1>
        <p>
          The session may have been deleted, or the link is incomplete.{" "}
          <Link to={{ type: "home" }}>Start a new session</Link>
        </p>
      </div>
    </>
  );
}
