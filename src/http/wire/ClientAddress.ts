import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/**
 * The client's address is the peer's, or with `hops` trusted proxies the one that the outermost of them saw. What a client
 * writes into `x-forwarded-for` itself stands further left and counts for nothing.
 */
export const exactAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map(withoutPort)
  const client = hops === 0 ? peer : [...forwarded, peer].at(-1 - hops) ?? peer
  return [client, peer].find((address) => networkOf(address) !== undefined) ?? peer
}

/** Some proxies write a port behind the address: `203.0.113.9:55123`, `[2001:db8::1]:443`. */
const withoutPort = (forwarded: string) =>
  forwarded.trim().replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")

export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  addressNetwork(exactAddress(request, hops))

/**
 * A limit by address counts these. An IPv6 client is its /64, which is what a household or a phone is given; one that a
 * translator carries (NAT64, RFC 6052; 6to4, RFC 3056) is the IPv4 address within, for all of them share a prefix.
 */
export const addressNetwork = (address: string): string => networkOf(address) ?? address

/** The longest text of an address is an IPv6 address that ends in dots: what is longer is not worth keeping. */
const maxAddressLength = 45

const maxNetworks = 1000

const networks = new Map<string, string | undefined>()

/** None: it is no address. Some are kept: a request asks two to four times, and parsing `::ffff:127.0.0.1` takes 15 µs. */
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
  const within = translated[parsed.range()]
  if (within !== undefined) return ipaddr.fromByteArray(parsed.toByteArray().slice(...within)).toString()
  return `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`
}

/**
 * The networks around a client that is a /64 of IPv6, each with how many times the client's own limit all within it have
 * together: a home or a site is given a /56 or a /48, so that it has 256 or 65,536 clients to try with.
 */
export const networksAround = (client: string): ReadonlyArray<readonly [network: string, times: number]> => {
  const [a, b, c, d = ""] = client.endsWith("::/64") ? client.split(":") : []
  return d === "" ? [] : [
    [`${a}:${b}:${c}:${(parseInt(d, 16) & 0xff00).toString(16)}::/56`, 4],
    [`${a}:${b}:${c}::/48`, 16]
  ]
}

/** The network that a client's address is part of: a /24 of IPv4, a /64 of IPv6. */
export const clientNetwork = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  clientAddress(request, hops).replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24")

/** The bytes of an IPv6 address that are an IPv4 address, by the name of its range. */
const translated: Record<string, readonly [start: number, end: number]> = { "rfc6052": [12, 16], "6to4": [2, 6] }
