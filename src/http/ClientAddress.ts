import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/**
 * Whom a limit by address means: the peer, or with `hops` trusted proxies the address that the outermost of them saw.
 * What a client writes into `x-forwarded-for` itself stands further left and counts for nothing. An IPv6 client is its
 * /64, which is what a household or a phone is given.
 */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((address) => address.trim())
  return network(hops === 0 ? peer : [...forwarded, peer].at(-1 - hops) ?? peer) ?? network(peer) ?? peer
}

const network = (address: string): string | undefined => {
  try {
    const parsed = ipaddr.process(address)
    if (parsed.kind() === "ipv4") return parsed.toString()
    const { parts } = parsed as ipaddr.IPv6
    return `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`
  } catch {
    return undefined
  }
}
