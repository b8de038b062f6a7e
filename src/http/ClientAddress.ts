import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/**
 * The client's address is the peer's, or with `hops` trusted proxies the one that the outermost of them saw. What a client
 * writes into `x-forwarded-for` itself stands further left and counts for nothing.
 */
export const exactAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((address) => address.trim())
  const client = hops === 0 ? peer : [...forwarded, peer].at(-1 - hops) ?? peer
  return [client, peer].find((address) => ipaddr.isValid(address)) ?? peer
}

/** A limit by address counts these. An IPv6 client is its /64, which is what a household or a phone is given. */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const address = exactAddress(request, hops)
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === "ipv4") return parsed.toString()
  const { parts } = parsed as ipaddr.IPv6
  return `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`
}
