import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { onTestFinished } from "vitest"
import { asAdmin, call } from "./Client.ts"
import type { Service } from "./Service.ts"

type Target = Pick<Service, "url">

/** Opens a connection and sends the parts. The connection closes at the end of the test. */
export const open = async (service: Target, ...parts: ReadonlyArray<string | Uint8Array>): Promise<Socket> => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1").on("error", () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, "connect")
  for (const part of parts) socket.write(part)
  return socket
}

/** Makes the head of a request as it goes over the wire. */
export const head = (line: string, headers: Readonly<Record<string, string | number>>) =>
  `${line} HTTP/1.1\r\nhost: x\r\n${
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n`

/** Returns everything received until the connection closes. */
export const received = async (socket: Socket): Promise<string> => {
  let text = ""
  socket.setEncoding("utf8").on("data", (chunk) => text += chunk).resume()
  if (!socket.closed) await new Promise((closed) => socket.once("close", closed))
  return text
}

/** Reads the gauge of the bytes that requests and answers hold in memory. */
export const heldBytes = async (service: Target) => {
  const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
  return Number(/^http_held_bytes (\d+)/m.exec(text)![1])
}
