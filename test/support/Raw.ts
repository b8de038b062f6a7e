import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { type Answer, parse, randomAddress } from "./Client.ts"
import type { Service } from "./Service.ts"

type Target = Pick<Service, "url">

/** Sends bytes on a new connection without an HTTP client. Returns everything received until the connection closed. */
export const exchange = async (service: Target, ...parts: ReadonlyArray<string | Uint8Array>): Promise<string> => {
  const socket = connect(Number(new URL(service.url).port), "localhost")
  let received = ""
  socket.on("data", (chunk) => received += chunk).on("error", () => {})
  await once(socket, "connect")
  for (const part of parts) socket.write(part)
  // `once` of node:events would reject when the connection is reset.
  await new Promise((closed) => socket.once("close", closed))
  return received
}

/** Parses the last answer in what `exchange` received. */
export const parseAnswer = (received: string): Answer => {
  const [head = "", ...rest] = received.slice(received.search(/HTTP\/1\.1 \d{3}(?!.*HTTP\/1\.1 \d{3})/s)).split(
    "\r\n\r\n"
  )
  const [status = "", ...lines] = head.split("\r\n")
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
  return answer(Number(status.split(" ")[1]), headers, rest.join("\r\n\r\n"))
}

const agent = new Agent()

export interface RawCall {
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

/** Like `call`, but sends the path unchanged, and can send headers that `fetch` does not allow. */
export const send = async (service: Target, method: string, path: string, { body, headers = {} }: RawCall = {}) => {
  const sent = request({
    agent,
    host: "localhost",
    port: new URL(service.url).port,
    method,
    path,
    headers: { "x-forwarded-for": randomAddress(), ...headers }
  })
  // The service may answer and close before it has read all of the body.
  sent.on("error", () => {}).end(body)
  const [response] = await once(sent, "response") as [IncomingMessage]
  let text = ""
  for await (const chunk of response) text += chunk
  return answer(response.statusCode!, new Headers(response.headersDistinct as never), text)
}

const answer = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  json: parse(text)
})
