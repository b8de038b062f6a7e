import type { ReactNode } from "react"
import { Face } from "../sharing/Face.tsx"
import type { Draft, Recipient } from "./Draft.ts"

/** A provider whom the service knows: name, organization, identifier, and how the veteran found them. */
export const RecipientCard = ({ children, recipient, way }: {
  readonly children?: ReactNode
  readonly recipient: Recipient
  readonly way: Draft["way"]
}) => (
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
        Added by Veteran Records.
        {way === "scan"
          ? " You scanned this clinic’s code."
          : way === "invitation"
          ? " You typed this clinic’s code."
          : ""}
      </p>
    </div>
    {children}
  </section>
)
