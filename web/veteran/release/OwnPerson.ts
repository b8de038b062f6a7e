import { Effect, Schema } from "effect"
import { useMemo } from "react"
import { humanName, namesOf } from "../../../src/clinical/HumanName.ts"
import { members, text } from "../../../src/clinical/Members.ts"
import { CalendarDate } from "../../../src/domain/Scalars.ts"
import { useRead } from "../../shared/Call.ts"
import { useSession } from "../session/Session.ts"

const isDay = Schema.is(CalendarDate)

/** The name and birth date of the record's one Patient, as far as it has them. The veteran can change both. */
export const useOwnPerson = () => {
  const { call } = useSession()
  return useRead(useMemo(() =>
    Effect.map(
      call(({ healthRecord }) =>
        healthRecord.items({ params: { veteranId: "me" }, query: { resourceType: "Patient", limit: 2 } })
      ),
      ({ items }) => {
        const [patient] = items.length === 1 ? items : []
        const { birthDate, name } = members<{ birthDate?: string; name?: unknown }>(patient?.resource)
        const born = text(birthDate) ?? ""
        return {
          fullName: humanName(namesOf(name).called) ?? "",
          dateOfBirth: isDay(born) ? born : ""
        }
      }
    ), [call]))
}
