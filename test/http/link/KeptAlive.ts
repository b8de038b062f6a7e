import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { Agent, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import type pg from "pg"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { atEnd, openFolder } from "../../support/App.ts"
import { randomAddress, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { giveLinks, giveSessions, recipientCopy } from "../document/Copies.ts"
import { signed } from "../release/Releases.ts"

/** Sends each request on the same connection. */
export const keptAlive = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: { "x-forwarded-for": randomAddress(), "content-type": "application/json", ...headers }
    })
    sent.end(body === undefined ? "" : JSON.stringify(body))
    const [response] = await once(sent, "response") as [IncomingMessage]
    let size = 0
    for await (const chunk of response) size += chunk.length
    return { status: response.statusCode, size }
  }
}

type Sent = ReturnType<ReturnType<typeof keptAlive>>

/** Counts requests without the expected answer, by kind. */
export type Lost = Record<string, number>

const expecting = (lost: Lost) => async (what: string, sent: Sent, expected?: number) => {
  const outcome = await sent.then(
    ({ size, status }) => status !== 200 ? `${status}` : size !== (expected ?? size) ? "cut" : undefined,
    (error: NodeJS.ErrnoException) => error.code ?? `${error}`
  )
  if (outcome !== undefined) lost[`${what}: ${outcome}`] = (lost[`${what}: ${outcome}`] ?? 0) + 1
}

/**
 * Views `rounds` links in all through `url`, a quarter of them from each of four veterans. After each view, its link is
 * revoked while the next request goes out on the view's connection. Meanwhile two other clients send ordinary requests.
 * Returns how many of all these requests did not get the expected answer, by kind.
 */
export const loseByRevoking = async (service: Service, superuser: pg.Client, url: string, rounds: number) => {
  const lost: Lost = {}
  const expectOk = expecting(lost)
  const state = { runs: true }
  const others = [1, 2].map(async () => {
    const other = keptAlive(url)
    while (state.runs) await expectOk("another's request", other("GET", "/health"))
  })
  const viewAndRevoke = async () => {
    const veteran = await signInVeteran(service)
    const { document: { id: documentId } } = await signed(service, veteran)
    const links = await giveLinks(service, superuser, { id: veteran.id, documentId }, rounds / 4)
    const sessions = await giveSessions(service, superuser, links)
    const { length: size } = await recipientCopy(service, superuser, documentId)
    const [recipient, owner] = [keptAlive(url), keptAlive(url)]
    for (const [n, { id }] of links.entries()) {
      await expectOk("view", recipient("POST", "/api/secure-links/view", {}, { viewSession: sessions[n] }), size)
      await Promise.all([
        expectOk("revoke", owner("POST", `/api/veteran/me/secure-links/${id}/revoke`, veteran.headers)),
        expectOk("next request", recipient("GET", "/health"))
      ])
    }
  }
  // Four veterans share the rounds, because one veteran may send at most 600 requests a minute.
  await Promise.all([viewAndRevoke(), viewAndRevoke(), viewAndRevoke(), viewAndRevoke()])
  state.runs = false
  await Promise.all(others)
  return lost
}

/** Starts a proxy that reuses any connection to the service for the next request of any client. */
export const startProxy = async (service: Pick<Service, "url">) => {
  const [port, folder] = [await freePort(), await openFolder()]
  const configuration = `
defaults
  mode http
  timeout connect 10s
  timeout client 30s
  timeout server 30s
  http-reuse always
frontend public
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one 127.0.0.1:${new URL(service.url).port}
`
  await writeFile(join(folder, "haproxy.cfg"), configuration)
  const child = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "ignore" })
  const exited = once(child, "exit")
  atEnd(async () => {
    child.kill("SIGKILL")
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await until("the proxy answers", () => fetch(`${url}/health`).then(({ ok }) => ok, () => false))
  return url
}
