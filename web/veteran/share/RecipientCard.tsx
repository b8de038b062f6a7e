import type { ReactNode } from "react"
import { Face } from "../sharing/Face.tsx"
import type { Draft, Recipient } from "./Draft.ts"
import { useShareWords } from "./Words.ts"

/** A provider whom the service knows: name, organization, identifier, and how the veteran found them. */
export const RecipientCard = ({ children, recipient, way }: {
  readonly children?: ReactNode
  readonly recipient: Recipient
  readonly way: Draft["way"]
}) => {
  const { recipient: words } = useShareWords()
  return (
    <section className="card who">
      <Face name={recipient.displayName} />
      <div>
        <h2>
          <bdi>{recipient.displayName}</bdi>
        </h2>
        <p className="soft">
          <bdi>{recipient.organization}</bdi>
          {recipient.npi === null ? null : <>· NPI {recipient.npi}</>}
        </p>
        <p className="soft small">
          {words.added} {way === "scan" ? words.scanned : way === "invitation" ? words.typed : ""}
        </p>
      </div>
      {children}
    </section>
  )
}
