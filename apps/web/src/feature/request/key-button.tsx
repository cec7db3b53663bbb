import { Button, type ButtonProps } from "../../element/button.tsx";

interface KeyButtonProps extends ButtonProps {
  /** The key that does the same while the card has the focus. */
  readonly shortcut: string;
}

/** A button with its key. */
export function KeyButton({ shortcut, children, ...rest }: KeyButtonProps) {
  return (
    <Button {...rest} aria-keyshortcuts={shortcut}>
      {children}
      <kbd aria-hidden="true">{shortcut}</kbd>
    </Button>
  );
}
