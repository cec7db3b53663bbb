import { IconButton } from "./icon-button.tsx";
import style from "./toast-stack.module.css";
import { chooseToastAction, dismissToast, useToasts } from "./toast.ts";

/** Short messages at the edge of the window, read out without taking the focus. */
export function ToastStack() {
  const toasts = useToasts();
  return (
    <div className={`stack gap-2 ${style.stack}`} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={`overlay row gap-3 small ${style.toast}`}
          data-error={toast.isError}
        >
          <span>{toast.text}</span>
          {toast.action && (
            <button type="button" onClick={() => chooseToastAction(toast)}>
              {toast.action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismissToast(toast.id)} />
        </div>
      ))}
    </div>
  );
}
