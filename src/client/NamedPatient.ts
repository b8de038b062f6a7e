import { Option, Schema } from "effect"

/** R4's elements by which nearly every type names its patient. Coverage and Task use others and are not checked. */
const Named = Schema.Union([
  Schema.Struct({ resourceType: Schema.Literal("Patient"), id: Schema.String }),
  Schema.Struct({ subject: Schema.Struct({ reference: Schema.String }) }),
  Schema.Struct({ patient: Schema.Struct({ reference: Schema.String }) })
])

const decode = Schema.decodeUnknownOption(Named)

/** Reads the id in a relative or absolute reference. A URN gives none, because it has no meaning outside its bundle. */
const idIn = (reference: string): string | undefined => {
  const parts = reference.slice(0, 2048).split("/")
  const [type, id] = parts.at(-2) === "_history" ? parts.slice(-4, -2) : parts.slice(-2)
  return type === "Patient" ? id : undefined
}

/** Returns the id of the patient that a resource is about, or undefined if it names none. */
export const namedPatient = (resource: unknown): string | undefined =>
  Option.getOrUndefined(Option.map(decode(resource), (named) => {
    if ("resourceType" in named) return named.id
    return idIn(("subject" in named ? named.subject : named.patient).reference)
  }))

interface Naming {
  readonly patient: string | undefined
}

/**
 * Returns those of the resources, all of one type, that name another patient. `ours` has the known ids of our patient.
 * If no resource names one of them, returns none, because the server may know our patient by another id.
 */
export const ofOthers = <A extends Naming>(resources: ReadonlyArray<A>, ours: ReadonlySet<string>): ReadonlyArray<A> =>
  resources.some(({ patient }) => patient !== undefined && ours.has(patient))
    ? resources.filter(({ patient }) => patient !== undefined && !ours.has(patient))
    : []

/** Returns a notice if other patients' resources were left out, or if several patients are named, none in `ours`. */
export const patientNotices = (
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
