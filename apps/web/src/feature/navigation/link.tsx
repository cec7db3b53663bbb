import type { AnchorHTMLAttributes } from "react";
import { appRoot, navigate } from "./navigation.ts";
import { hrefOf, type Route } from "./route.ts";

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  readonly to: Route;
  /** What a plain click does instead of navigating. */
  readonly onFollow?: () => void;
}

/** A real link, which can be opened in a new tab or copied; a plain click does not reload the page. */
export function Link({ to, onFollow = () => navigate(to), onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={hrefOf(appRoot, to)}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
        if (!isPlain || event.defaultPrevented) return;
        event.preventDefault();
        onFollow();
      }}
    />
  );
}
