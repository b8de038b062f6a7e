import { Option, Schema } from "effect"

/**
 * R4's elements by which nearly every type names its patient; Coverage and Task have others, and are taken as they
 * come.
 */
const Named = Schema.Union([
  Schema.Struct({ resourceType: Schema.Literal("Patient"), id: Schema.String }),
  Schema.Struct({ subject: Schema.Struct({ reference: Schema.String }) }),
  Schema.Struct({ patient: Schema.Struct({ reference: Schema.String }) })
])

const decode = Schema.decodeUnknownOption(Named)

/** Relative or absolute, of any version. A URN names nobody outside of its bundle. */
const idIn = (reference: string): string | undefined => {
  const parts = reference.slice(0, 2048).split("/")
  const [type, id] = parts.at(-2) === "_history" ? parts.slice(-4, -2) : parts.slice(-2)
  return type === "Patient" ? id : undefined
}

/** The id of the patient whom a resource names as its own; undefined if it names none. */
export const namedPatient = (resource: unknown): string | undefined =>
  Option.getOrUndefined(Option.map(decode(resource), (named) => {
    if ("resourceType" in named) return named.id
    return idIn(("subject" in named ? named.subject : named.patient).reference)
  }))

interface Naming {
  readonly patient: string | undefined
}

/**
 * Of resources of one type those of other patients. Servers may name a patient otherwise than by the id that is asked
 * for, so that this is known only where some of the resources have one of `ours`.
 */
export const ofOthers = <A extends Naming>(resources: ReadonlyArray<A>, ours: ReadonlySet<string>): ReadonlyArray<A> =>
  resources.some(({ patient }) => patient !== undefined && ours.has(patient))
    ? resources.filter(({ patient }) => patient !== undefined && !ours.has(patient))
    : []

/** Says that resources of others were left out, or that nobody can tell whose they are, which changes nothing. */
export const patientsTold = (
  resources: ReadonlyArray<Naming>,
  ours: ReadonlySet<string>,
  leftOut: number
): ReadonlyArray<string> => {
  if (leftOut > 0) return [`${leftOut} of another patient left out`]
  const named = new Set(resources.flatMap(({ patient }) => patient ?? []))
  return named.size > 1 && ours.isDisjointFrom(named)
    ? [`they name ${named.size} patients, none by the id asked for`]
    : []
}
