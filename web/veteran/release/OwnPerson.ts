import { Effect, Schema } from "effect"
import { humanName, namesOf } from "../../../src/clinical/HumanName.ts"
import { members, text } from "../../../src/clinical/Members.ts"
import { CalendarDate } from "../../../src/domain/Scalars.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"

const isDay = Schema.is(CalendarDate)

const readPerson = ({ healthRecord }: Client) =>
  Effect.map(healthRecord.items({ params: me, query: { resourceType: "Patient", limit: 2 } }), ({ items }) => {
    const [patient] = items.length === 1 ? items : []
    const { birthDate, name } = members<{ birthDate?: string; name?: unknown }>(patient?.resource)
    const born = text(birthDate) ?? ""
    return {
      fullName: humanName(namesOf(name).called) ?? "",
      dateOfBirth: isDay(born) ? born : ""
    }
  })

/** The name and birth date of the record's one Patient, as far as it has them. The veteran can change both. */
export const useOwnPerson = () => useOwnRead(readPerson)
