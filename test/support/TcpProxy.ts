import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { atEnd } from "./App.ts"

/** Starts a proxy on loopback to the port that `target` returns. Its connections can fail as networks do. */
export const openTcpProxy = async (target: () => number) => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let [isSilent, delay, asked] = [false, 0, 0]
  /** After `left` more bytes of answers, `fate` is called with the connection that carried the last of them. */
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
      // Reading pauses until the other side takes the earlier bytes, so the proxy holds only a few.
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
  atEnd(() => {
    server.close()
    destroy()
  })
  return {
    port,
    /** How many bytes clients have sent. */
    asked: () => asked,
    /** From now on, no existing or new connection passes bytes or closes. */
    silence: () => {
      isSilent = true
      for (const [inside] of pairs) dead.get(inside)!()
    },
    /** All present connections end after this many more bytes of answers. */
    cutAfter: (bytes: number) => [left, fate] = [bytes, destroy],
    /** After this many more bytes of answers, the connection that carried the last byte goes silent for good. */
    forgetAfter: (bytes: number) => {
      left = bytes
      fate = ([inside, outside]) => {
        dead.get(inside)!()
        outside.pause()
      }
    },
    /** New connections work again. Earlier ones stay silent. */
    speak: () => isSilent = false,
    /** The present connections go silent for good, as behind a firewall that forgets them. */
    forget: () => {
      for (const [inside] of pairs) dead.get(inside)!()
    },
    /** Bytes take this many milliseconds in either direction. */
    slow: (milliseconds: number) => delay = milliseconds
  }
}
