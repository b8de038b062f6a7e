import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/**
 * The client's address is the peer's or, with `hops` trusted proxies, the one that the outermost proxy saw. Entries
 * that a client writes into `x-forwarded-for` itself are further left, and are ignored.
 */
export const exactAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map(withoutPort)
  const client = hops === 0 ? peer : [...forwarded, peer].at(-1 - hops) ?? peer
  return [client, peer].find((address) => networkOf(address) !== undefined) ?? peer
}

/** Some proxies add a port to the address: `203.0.113.9:55123`, `[2001:db8::1]:443`. */
const withoutPort = (forwarded: string) =>
  forwarded.trim().replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")

export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  addressNetwork(exactAddress(request, hops))

/**
 * The key of limits by address. For an IPv6 address it is the /64 network, because a household or a phone gets a /64.
 * For a translated address (NAT64, RFC 6052; 6to4, RFC 3056) it is the embedded IPv4 address, because all translated
 * clients share a prefix.
 */
export const addressNetwork = (address: string): string => networkOf(address) ?? address

/** The longest text of an address is an IPv6 address with an IPv4 address at its end. Longer texts are not cached. */
const maxAddressLength = 45

const maxNetworks = 1000

const networks = new Map<string, string | undefined>()

/** Cached: a request needs its network up to four times, at 15 µs each. Returns undefined if the text is no address. */
const networkOf = (address: string): string | undefined => {
  if (address.length > maxAddressLength) return parseNetwork(address)
  if (networks.has(address)) return networks.get(address)
  const network = parseNetwork(address)
  if (networks.size >= maxNetworks) networks.clear()
  networks.set(address, network)
  return network
}

const parseNetwork = (address: string): string | undefined => {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed.kind() === "ipv4") return parsed.toString()
  const { parts } = parsed as ipaddr.IPv6
  const embedded = translated[parsed.range()]
  if (embedded !== undefined) return ipaddr.fromByteArray(parsed.toByteArray().slice(...embedded)).toString()
  return `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`
}

/**
 * The larger networks of an IPv6 client. All clients of such a network together have `times` the limit of one client.
 * A home or a site gets a /56 or a /48, and could otherwise use 256 or 65,536 clients' limits.
 */
export const networksAround = (client: string): ReadonlyArray<readonly [network: string, times: number]> => {
  const [a, b, c, d = ""] = client.endsWith("::/64") ? client.split(":") : []
  return d === "" ? [] : [
    [`${a}:${b}:${c}:${(parseInt(d, 16) & 0xff00).toString(16)}::/56`, 4],
    [`${a}:${b}:${c}::/48`, 16]
  ]
}

/** The network of a client's address: a /24 of IPv4, a /64 of IPv6. */
export const clientNetwork = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  clientAddress(request, hops).replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24")

/** The positions of an IPv4 address's bytes in a translated IPv6 address, by ipaddr.js's name of the range. */
const translated: Record<string, readonly [start: number, end: number]> = { "rfc6052": [12, 16], "6to4": [2, 6] }
