import { Context, Data } from "effect"
import ip from "ipaddr.js"
import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"

/** Why a name has no address that may be reached. The message does not hold the name. */
export class NotPublic extends Data.TaggedError("NotPublic")<{ readonly message: string }> {}

/**
 * Tells whether an address is one of the Internet: of no network of the operator's, of no machine's own, and no way around
 * such as an IPv4 address within an IPv6 one that a router may translate (IANA's special-purpose registries, RFC 6890).
 */
const isPublic = (address: string): boolean => {
  const parsed = ip.process(address)
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(globalUnicast))
}

/** RFC 4291, 2.4, and what IANA has given out of it. */
const globalUnicast = ip.IPv6.parseCIDR("2000::/3")

type Resolve = Pick<Resolver, "resolve4" | "resolve6">

/**
 * Answers the addresses of a URL's host, which were checked: who connects to these, and asks no second time, connects to no
 * other (DNS rebinding). A name of which one address is not public has none.
 */
export const resolveWith = (resolver: () => Resolve) => async (host: string): Promise<ReadonlyArray<LookupAddress>> => {
  const literal = host.replace(/^\[(.*)\]$/, "$1")
  const found = isIP(literal) === 0 ? await resolved(resolver(), host) : [literal]
  if (found.length === 0) throw new NotPublic({ message: "its name has no address" })
  if (!found.every(isPublic)) throw new NotPublic({ message: "its address is not public" })
  return found.map((address) => ({ address, family: isIP(address) }))
}

const resolved = async (resolver: Resolve, name: string) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []).slice(0, 8)
}

/**
 * Where apps are told of their grants. It is asked for by DNS itself: the system's own look-up knows names of this machine, and
 * takes a thread of which there are four. Only a program that is not the service can have another.
 */
export const PublicAddresses = Context.Reference("vrss/PublicAddresses", {
  defaultValue: () => resolveWith(() => new Resolver({ timeout: 2_000, tries: 2 }))
})
