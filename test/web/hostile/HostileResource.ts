import { payloads } from "./Payloads.ts"

/**
 * The same resource with a payload in place of each string that the service and the reading of the record do not need: its type, its
 * id and what ties it to others stay.
 */
export const hostileResource = (resource: unknown, next: () => string): unknown => {
  if (typeof resource === "string") return next()
  if (Array.isArray(resource)) return resource.map((one) => hostileResource(one, next))
  if (typeof resource !== "object" || resource === null) return resource
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [
      name,
      kept.has(name) && typeof value === "string" ? value : hostileResource(value, next)
    ])
  )
}

/** Without a code system, dates and references most of a resource would not be shown at all. */
const kept = new Set(["resourceType", "id", "system", "reference"])

/** Deals the payloads in turn. */
export const dealer = () => {
  let at = 0
  return () => payloads[at++ % payloads.length]!
}
