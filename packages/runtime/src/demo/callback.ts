import type { TurnInput } from "../runtime.ts";
import type { Script } from "./stage/script.ts";
import type { DemoStage } from "./stage/stage.ts";

/** The answer to what a person did in a component: the component shows it. */
export async function* answerCallback(
  stage: DemoStage,
  { component_id: id, name, action, payload }: NonNullable<TurnInput["callback"]>,
): Script {
  const component = stage.turn.memory.components.get(id);
  if (component) {
    component.clicks += 1;
    const { surface, clicks } = component;
    const props = { last_action: action, last_payload: payload, clicks };
    yield* stage.send({ type: "component", id, name, surface, props, merge: true });
  }
  yield* stage.say(`You used the ${name}: ${action}.`);
}
