import { useSessionSelector } from "@turnwire/react";
import { ChipSelect } from "../../element/chip-select.tsx";

/** How a message goes that is sent while a turn runs. */
export type WaitingDelivery = "queue" | "steer";

interface DeliveryChoiceProps {
  readonly value: WaitingDelivery;
  readonly onChange: (value: WaitingDelivery) => void;
}

const options = [
  { value: "queue", label: "After this turn" },
  { value: "steer", label: "Into this turn" },
] as const;

/** Wait for the turn to end, or join it; no choice where the runtime cannot be steered. */
export function DeliveryChoice({ value, onChange }: DeliveryChoiceProps) {
  const canSteer = useSessionSelector((view) => view.session.session.capabilities.steer);
  if (!canSteer) return null;
  return (
    <ChipSelect
      label="When to send"
      value={value}
      options={options}
      onChange={(chosen) => onChange(chosen === "steer" ? "steer" : "queue")}
    />
  );
}
