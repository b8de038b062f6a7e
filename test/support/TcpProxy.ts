import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { afterAll } from "vitest"

/** Starts a proxy on loopback whose way to the port that `target` tells can fail as networks do. */
export const openTcpProxy = async (target: () => number) => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let [isSilent, delay, asked] = [false, 0, 0]
  /** What happens once so many bytes more have been answered. */
  let [left, fate] = [Infinity, (_: readonly [Socket, Socket]) => {}]
  const server = createServer((inside) => {
    const outside = connect(target(), "localhost")
    const pair = [inside, outside] as const
    let isDead = isSilent
    dead.set(inside, () => isDead = true)
    pairs.add(pair)
    for (const [from, to] of [[inside, outside], [outside, inside]] as const) {
      const unlessDead = (forward: () => void) => isDead ? undefined : forward()
      if (from === outside) from.on("data", ({ length }) => answered(length, pair))
      else from.on("data", ({ length }) => asked += length)
      const pass = (forward: () => void) => delay > 0 ? setTimeout(unlessDead, delay, forward) : unlessDead(forward)
      from.on("error", () => {}).on("data", (chunk) => pass(() => to.write(chunk) ? undefined : from.pause()))
      // As much as the network holds, and no more, is on its way.
      to.on("drain", () => unlessDead(() => from.resume()))
      from.on("close", () => pass(() => to.destroy()))
      from.on("close", () => inside.destroyed && outside.destroyed && pairs.delete(pair))
    }
  }).listen(0, "localhost")
  const answered = (bytes: number, pair: readonly [Socket, Socket]) => {
    left -= bytes
    if (left > 0) return
    left = Infinity
    fate(pair)
  }
  const dead = new WeakMap<Socket, () => void>()
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const destroy = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
  }
  afterAll(() => {
    server.close()
    destroy()
  })
  return {
    port,
    /** Tells how many bytes clients have sent. */
    asked: () => asked,
    /** From now on nothing comes through and nothing is closed: neither connections that are, nor new ones, are ever heard of again. */
    silence: () => {
      isSilent = true
      for (const [inside] of pairs) dead.get(inside)!()
    },
    /** All connections of the moment end once so many bytes more have been answered. */
    cutAfter: (bytes: number) => [left, fate] = [bytes, destroy],
    /** The connection on which so many bytes more have been answered goes silent for ever, and takes no more. */
    forgetAfter: (bytes: number) => {
      left = bytes
      fate = ([inside, outside]) => {
        dead.get(inside)!()
        outside.pause()
      }
    },
    /** New connections come through; those of before stay dead. */
    speak: () => isSilent = false,
    /** The connections of this moment go silent for ever, as with a firewall that forgets them. */
    forget: () => {
      for (const [inside] of pairs) dead.get(inside)!()
    },
    /** Whatever is sent either way takes so many milliseconds. */
    slow: (milliseconds: number) => delay = milliseconds
  }
}
