import { isIP } from "node:net"

/** Second-level labels under which registries of countries register names, as in `example.co.uk`. */
const registries = new Set(["ac", "co", "com", "edu", "gob", "gov", "mil", "ne", "net", "nhs", "or", "org"])

/**
 * Whether browsers take two origins for one site: the same scheme and the same registrable domain. Without the public
 * suffix list, shared hosting (`a.pages.example` and `b.pages.example` of two customers) counts as one site.
 */
export const isSameSite = (one: string, other: string): boolean => siteOf(one) === siteOf(other)

const siteOf = (origin: string) => {
  const { hostname, protocol } = new URL(origin)
  return `${protocol}//${domainOf(hostname)}`
}

const domainOf = (hostname: string) => {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return hostname
  const labels = hostname.replace(/\.$/, "").split(".")
  const [second = "", top = ""] = labels.slice(-2)
  return labels.slice(top.length === 2 && registries.has(second) ? -3 : -2).join(".")
}
