import { Button, type ButtonProps } from "../../element/button.tsx";

interface KeyButtonProps extends ButtonProps {
  /** The key that does the same while the card has the focus. */
  readonly shortcut: string;
}

/** A way to answer, with its key beside it. */
export function KeyButton({ shortcut, children, ...rest }: KeyButtonProps) {
  return (
    <Button {...rest} aria-keyshortcuts={shortcut}>
      {children}
      <kbd aria-hidden="true">{shortcut}</kbd>
    </Button>
  );
}
