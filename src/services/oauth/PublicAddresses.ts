import { Context, Data } from "effect"
import ip from "ipaddr.js"
import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"

/** The host has no address, or one that is not public. The message does not contain the host's name. */
export class NotPublic extends Data.TaggedError("NotPublic")<{ readonly message: string }> {}

/**
 * Whether an address is public: neither of a private network nor of this machine (IANA's special-purpose registries,
 * RFC 6890). An IPv6 address that a router may translate to IPv4 is not public.
 */
const isPublic = (address: string): boolean => {
  const parsed = ip.process(address)
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(globalUnicast))
}

/** The global unicast addresses that IANA allocates (RFC 4291, 2.4). */
const globalUnicast = ip.IPv6.parseCIDR("2000::/3")

/**
 * Names that no public name server answers: RFC 6761, 6762 (also its appendix G), 7686, 9476, and ICANN's `internal`.
 * Nothing under `arpa` is a host, such as 8375's `home.arpa`. Applications may not treat `example` so (6761, 6.5).
 */
const innerName =
  /(^|\.)(localhost|localdomain|local|internal|arpa|intranet|private|corp|home|lan|test|invalid|onion|alt)$/

/**
 * Whether the spelling of a URL's host alone shows that it is on this machine, in a private network or nowhere. A name
 * with an empty label never resolves. Only the last label may be empty, as in `example.org.`.
 */
export const isInside = (host: string): boolean => {
  const name = literalOf(host).replace(/\.$/, "")
  if (isIP(name) !== 0) return !isPublic(name)
  const labels = name.split(".")
  return labels.length === 1 || labels.includes("") || innerName.test(name)
}

/** `URL` writes IPv4 in one form, and IPv6 in brackets. */
const literalOf = (host: string) => host.replace(/^\[(.*)\]$/, "$1")

type Resolve = Pick<Resolver, "resolve4" | "resolve6">

/**
 * Returns the checked addresses of a URL's host. Connect to these without another look-up, which could answer
 * differently (DNS rebinding). Fails if the name is inside, or if any address of it is not public.
 */
export const resolveWith = (resolver: () => Resolve) => async (host: string): Promise<ReadonlyArray<LookupAddress>> => {
  const literal = literalOf(host)
  if (isIP(literal) === 0 && isInside(host)) throw new NotPublic({ message: "its name is not public" })
  const addresses = isIP(literal) === 0 ? await resolved(resolver(), host) : [literal]
  if (addresses.length === 0) throw new NotPublic({ message: "its name has no address" })
  if (!addresses.every(isPublic)) throw new NotPublic({ message: "its address is not public" })
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

const resolved = async (resolver: Resolve, name: string) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []).slice(0, 8)
}

/**
 * Looks up the hosts of apps' webhooks by DNS. The system's own look-up would also resolve names that only this machine
 * knows, and it occupies one of libuv's four threads. Tests provide another look-up.
 */
export const PublicAddresses = Context.Reference("vrss/services/oauth/PublicAddresses", {
  defaultValue: () => resolveWith(() => new Resolver({ timeout: 2_000, tries: 2 }))
})
