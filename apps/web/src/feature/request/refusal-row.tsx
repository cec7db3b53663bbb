import { useId, type RefObject } from "react";
import { Button } from "../../element/button.tsx";
import { useKeptState } from "../session/session-memory.ts";
import style from "./refusal-row.module.css";

interface RefusalRowProps {
  readonly id: string;
  /** Gets the focus by the card's key. */
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  /** What to write into the field. */
  readonly hint: string;
  readonly onRefuse: (reason: string) => void;
  /** Refuses and ends the turn, if the runtime can. */
  readonly stopLabel?: string | undefined;
  readonly onStop?: ((reason: string) => void) | undefined;
}

/** Refuses, with or without a reason; Enter in the field refuses without stopping. */
export function RefusalRow(props: RefusalRowProps) {
  const { id, field, label, hint, onRefuse, stopLabel, onStop } = props;
  const hintId = useId();
  const [reason, setReason] = useKeptState(`${id} reason`, "");
  return (
    <div className="buttons">
      <span className={style.field}>
        <input
          ref={field}
          className="input"
          type="text"
          aria-label={hint}
          aria-describedby={hintId}
          placeholder={hint}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onRefuse(reason.trim());
          }}
        />
        <kbd aria-hidden="true">n</kbd>
        <span id={hintId} hidden>
          Enter: {label}
        </span>
      </span>
      <Button look="danger" onClick={() => onRefuse(reason.trim())}>
        {label}
      </Button>
      {onStop && (
        <Button look="danger" onClick={() => onStop(reason.trim())}>
          {stopLabel}
        </Button>
      )}
    </div>
  );
}
