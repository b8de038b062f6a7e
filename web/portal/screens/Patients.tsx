import { useMemo } from "react"
import { useRead } from "../../shared/Call.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { addressOf } from "../Route.ts"
import { useSession } from "../Session.ts"

/** Who shares with the provider. */
export const Patients = () => {
  const { call } = useSession()
  const { state } = useRead(useMemo(() => call(({ patients }) => patients.list({ query: {} })), [call]))
  return (
    <section className="card stack">
      <Heading>Patients who share with you</Heading>
      {state.is === "done"
        ? (
          <ul>
            {state.value.items.map(({ callSign, veteranId }) => (
              <li key={veteranId}>
                <a href={addressOf({ screen: "record", veteranId })}>{callSign}</a>
              </li>
            ))}
          </ul>
        )
        : <p role="status">Loading</p>}
    </section>
  )
}
