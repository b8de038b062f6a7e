import { members } from "../../clinical/Members.ts"

/** A longer resource is not parsed, in bytes. That would hold the event loop. */
export const maxRead = 64 * 1024

/** The address of a Patient on any server, without a version: no `fullUrl` has one (FHIR R4, bdl-8). */
const absolutePatient = /^https?:\/\/[^\s?#]+\/Patient\/[A-Za-z0-9\-.]{1,64}$/

/** Collects what the resources are about, until they are about several things or about no absolute URL. */
export const makeSubjects = () => {
  const names = { subject: new Set<string>(), patient: new Set<string>() }
  const isOne = (found: ReadonlySet<string>) => found.size === 1 && absolutePatient.test([...found][0]!)
  return {
    isOpen: () => names.subject.size === 0 || isOne(names.subject),
    add: (resource: Record<string, unknown>) => {
      for (const [member, found] of Object.entries(names)) {
        const { reference } = members<{ reference: unknown }>(resource[member])
        if (typeof reference === "string" && found.size < 2) found.add(reference)
      }
    },
    one: () => [names.subject.size > 0 ? names.subject : names.patient].filter(isOne).flatMap((found) => [...found])[0]
  }
}
