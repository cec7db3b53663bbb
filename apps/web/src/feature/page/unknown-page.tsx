import { Header } from "./header.tsx";
import { Link } from "../navigation/link.tsx";
import style from "./unknown-page.module.css";

/** For addresses that lead nowhere. */
export function UnknownPage() {
  return (
    <>
      <Header title="Not found" />
      <div className={`stack gap-2 grow ${style.page}`}>
        <h1>Page not found</h1>
        <p>
          The session may have been deleted, or the link is incomplete.{" "}
          <Link to={{ type: "home" }}>Start a new session</Link>
        </p>
      </div>
    </>
  );
}
