import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { assert } from "vitest"
import { randomAddress } from "../support/Client.ts"
import type { Service } from "../support/Service.ts"

interface Asked {
  readonly path: string
  readonly headers?: Record<string, string>
  /** Sent by POST, as JSON. */
  readonly body?: unknown
}

/** Sends a request, and reads the answer so slowly that 24 MiB take at least 38 seconds. */
export const trickle = async ({ url }: Pick<Service, "url">, { body, headers = {}, path }: Asked) => {
  const sent = request(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    agent: false,
    headers: { "content-type": "application/json", "x-forwarded-for": randomAddress(), ...headers }
  }).on("error", () => {})
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, "response") as [IncomingMessage]
  assert.strictEqual(response.statusCode, 200)
  response.on("error", () => {}).on("data", () => {
    response.pause()
    setTimeout(() => response.resume(), 100)
  })
  const end = new Promise<{ readonly complete: boolean; readonly at: number }>((ended) =>
    response.once("close", () => ended({ complete: response.complete, at: performance.now() }))
  )
  return { end }
}

export type Trickle = Awaited<ReturnType<typeof trickle>>
