import { Component, type ReactNode } from "react"
import { useWords } from "../language/Language.ts"
import { Action } from "./Button.tsx"
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
    return this.state.broken ? <Broken /> : this.props.children
  }
}

const Broken = () => {
  const { broken, problems } = useWords()
  return (
    <section className="card stack">
      <Heading>{broken.title}</Heading>
      <Notice kind="error" live title={problems.invalid_request.title}>
        <p>{broken.text}</p>
        <Action kind="outline" onClick={() => location.reload()}>{broken.again}</Action>
      </Notice>
    </section>
  )
}
