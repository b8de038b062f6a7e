import { payloads } from "./Payloads.ts"

/** Replaces each string in a resource with a payload. The members in `kept` stay unchanged. */
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

/** The members that stay unchanged. Without code systems and references, most of a resource would not be shown. */
const kept = new Set(["resourceType", "id", "system", "reference"])

/** Returns a function that gives the payloads in turn, and starts over after the last one. */
export const dealer = () => {
  let at = 0
  return () => payloads[at++ % payloads.length]!
}
