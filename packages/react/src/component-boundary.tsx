import { errorFrom } from "@turnwire/client/binding";
import { Component, type ReactNode } from "react";

export interface ComponentBoundaryProps {
  /** Another one gives what failed another chance. */
  readonly attempt: unknown;
  readonly renderFailure: (error: Error) => ReactNode;
  readonly children: ReactNode;
}

interface Failure {
  readonly error: Error | null;
}

/** Keeps what a component throws from the page around it. */
export class ComponentBoundary extends Component<ComponentBoundaryProps, Failure> {
  override state: Failure = { error: null };

  static getDerivedStateFromError(thrown: unknown): Failure {
    return { error: errorFrom(thrown) };
  }

  override componentDidUpdate(before: ComponentBoundaryProps): void {
    if (this.state.error && before.attempt !== this.props.attempt) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.renderFailure(error) : this.props.children;
  }
}
