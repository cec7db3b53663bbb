import { Icon } from "../../element/icon.tsx";
import { useFrame } from "../page/frame-context.ts";
import { useRelays } from "./relays.tsx";

/** Shows the relays of this machine; nothing while there are none. */
export function RelayButton({ className }: { readonly className?: string | undefined }) {
  const relays = useRelays();
  const { showRelays } = useFrame();
  if (relays.length === 0) return null;
  const count = relays.length === 1 ? "1 relay" : `${relays.length} relays`;
  return (
    <button type="button" className={className} title="Relays on this machine" onClick={showRelays}>
      <Icon name="relay" size={16} /> {count}
    </button>
  );
}
