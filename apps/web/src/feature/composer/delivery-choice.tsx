import { useSessionSelector } from "@turnwire/react";
import { ChipSelect } from "../../element/chip-select.tsx";

/** How a message is delivered that is sent while a turn runs. */
export type WaitingDelivery = "queue" | "steer";

interface DeliveryChoiceProps {
  readonly value: WaitingDelivery;
  readonly onChange: (value: WaitingDelivery) => void;
}

const options = [
  { value: "queue", label: "Queue" },
  { value: "steer", label: "Send now" },
] as const;

/** Queue the message or steer the turn; hidden if the runtime cannot be steered. */
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
