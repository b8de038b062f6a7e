import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { type Call, randomAddress } from "./Client.ts"
import type { Service } from "./Service.ts"

/** Sends a request on a separate connection. The client reads the answer's head; the test says when it reads on. */
export const beginAnswer = async (
  { url }: Pick<Service, "url">,
  method: string,
  path: string,
  { body, headers = {} }: Call = {}
) => {
  const sent = request(`${url}${path}`, {
    method,
    agent: false,
    headers: {
      "x-forwarded-for": randomAddress(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    }
  })
  sent.on("error", () => {}).end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, "response") as [IncomingMessage]
  const chunks: Array<Buffer> = []
  const received = () => chunks.reduce((size, chunk) => size + chunk.length, 0)
  // The answer may have broken off before anybody reads on.
  const closed = new Promise<void>((done) => response.once("close", done))
  response.on("error", () => {}).pause().on("data", (chunk: Buffer) => chunks.push(chunk))
  return {
    status: response.statusCode,
    closed,
    /** Reads at least this many bytes, and then pauses. Fails if the answer ends before. */
    receive: async (bytes: number) => {
      response.resume()
      while (received() < bytes) {
        await Promise.race([once(response, "data"), closed])
        if (response.closed && received() < bytes) {
          throw new Error(`${response.statusCode}: the answer ended after ${received()} of ${bytes} bytes`)
        }
      }
      response.pause()
      return Buffer.concat(chunks)
    },
    /** Reads everything that arrives within this many milliseconds, and then pauses. */
    receiveFor: async (milliseconds: number) => {
      response.resume()
      await setTimeout(milliseconds)
      response.pause()
      return Buffer.concat(chunks)
    },
    /** Reads slowly until the connection ends. Returns all received bytes and whether the answer was complete. */
    rest: async () => {
      response.on("data", () => {
        response.pause()
        void setTimeout(1).then(() => response.resume())
      }).resume()
      await closed
      return { bytes: Buffer.concat(chunks), complete: response.complete }
    },
    hangUp: async () => {
      response.destroy()
      await closed
    }
  }
}
