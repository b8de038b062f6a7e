import { Component, type ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Heading } from "./Heading.tsx"
import { Notice } from "./Notice.tsx"

/**
 * Replaces content that failed to render. Most often a part of the page could not be fetched, because the service has
 * newer pages or there is no connection. Without this, React would leave an empty screen.
 */
export class Guard extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  static getDerivedStateFromError() {
    return { broken: true }
  }

  override state = { broken: false }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <section className="card stack">
        <Heading>This can't be shown</Heading>
        <Notice kind="error" live title="This page may be out of date">
          <p>Load the page again. You stay signed in.</p>
          <div className="actions">
            <Button kind="outline" onClick={() => location.reload()}>Load the page again</Button>
          </div>
        </Notice>
      </section>
    )
  }
}
