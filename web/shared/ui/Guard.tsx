import type { ReactNode } from "react"
import { useWords } from "../language/Language.ts"
import { Action } from "./Button.tsx"
import { Heading } from "./Heading.tsx"
import { Notice } from "./Notice.tsx"
import { Unbroken } from "./Unbroken.tsx"

/**
 * Replaces content that failed to render. Most often a part of the page could not be fetched, because the service has
 * newer pages or there is no connection. Without this, React would leave an empty screen.
 */
export const Guard = ({ children }: { readonly children: ReactNode }) => (
  <Unbroken instead={<Broken />}>{children}</Unbroken>
)

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
