import { rowOf } from "../../src/clinical/Reading.ts"
import { type Modifier, modifiersIn } from "./Definitions.ts"
import { shown } from "./Rows.ts"

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The values that a reader assumes. A row needs no words for them. */
const usual: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  active: [true],
  doNotPerform: [false],
  isSubpotent: [false],
  deceasedBoolean: [false],
  deleted: [false],
  intent: ["order"],
  use: ["usual", "official", "home"]
}

/** Where the product itself is listed, `active` would read as if the patient takes it. */
export const isUsual = ({ at, path, value }: Modifier) =>
  usual[String(at.at(-1))]?.includes(value) || (path === "Medication.status" && value === "active")

export const textOf = (resource: Json) =>
  shown(rowOf(resource.resourceType, "1", JSON.stringify(resource), () => undefined))

/** The resource without the element at a place. A list loses its last element with it. */
export const without = (resource: Json, at: ReadonlyArray<string | number>): Json => {
  const copy = structuredClone(resource)
  const parent = at.slice(0, -1).reduce((json, name) => json[name], copy)
  const name = at.at(-1)!
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
  return copy
}

/** The statuses of contained resources that need no words beside the name by which a row mentions them. */
const plain = new Set(["active", "available", "completed", "confirmed", "current", "final", "finished", "unavailable"])

/**
 * True if the row has words for the modifier. The element that it modifies may have none itself, such as the identifier
 * of an observation: its modifier then misleads nobody.
 */
export const isRead = (resource: Json, text: string, { at, value }: Modifier) =>
  text !== textOf(without(resource, at)) ||
  (at.length > 1 && text === textOf(without(resource, at.slice(0, -1)))) ||
  (at[0] === "contained" && at.length === 3 && plain.has(value.coding?.[0].code ?? value))

/** The first modifier of a resource that its row does not show. */
export const unreadModifier = (resource: Json): string | undefined => {
  const text = textOf(resource)
  const unread = modifiersIn(resource).find((modifier) =>
    modifier.value !== null && !isUsual(modifier) && !isRead(resource, text, modifier)
  )
  return unread && `${unread.at.join(".")} ${JSON.stringify(unread.value)} of ${JSON.stringify(resource)}`
}
