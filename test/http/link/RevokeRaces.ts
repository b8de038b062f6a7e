import { connect } from "node:net"
import { assert } from "vitest"
import { randomAddress, type SignedIn, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { giveLinks, giveSessions, recipientCopy } from "../document/Copies.ts"
import { signed } from "../release/Releases.ts"
import { createAppLink, payloadOf } from "./AppLinks.ts"
import { recipientEmail } from "./Links.ts"
import { storedJwe } from "./StoredBundles.ts"
import type { openTwoProcesses } from "./TwoProcesses.ts"

type Processes = Pick<Awaited<ReturnType<typeof openTwoProcesses>>, "home" | "one" | "other" | "superuser">

/**
 * Counts the turns of the event loop. If two sockets deliver data in the same turn, it is unknown which data arrived
 * first.
 */
let turns = 0

let counted = false

const turn = () => {
  if (!counted) {
    counted = true
    setImmediate(() => {
      turns++
      counted = false
    })
  }
  return turns
}

/** Sends a request on a separate connection, and notes the turn in which each part of the answer arrived. */
const send = (service: Service, { body = "", line }: Request, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ host: "localhost", "x-forwarded-for": randomAddress(), ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise<AnswerInTurns>((resolve) => {
    let received = Buffer.alloc(0)
    let first: number | undefined
    const socket = connect(Number(new URL(service.url).port), "localhost").setNoDelay().on("error", () => {})
    const parts = () => {
      const at = received.indexOf("\r\n\r\n")
      const head = at < 0 ? "" : received.toString("latin1", 0, at)
      const bytes = at < 0 ? Buffer.alloc(0) : received.subarray(at + 4)
      const whole = bytes.length === Number(/content-length: (\d+)/i.exec(head)?.[1])
      return { status: Number(head.slice(9, 12)), bytes, whole }
    }
    const done = () => {
      resolve({ ...parts(), first, last: turn() })
      socket.destroy()
    }
    socket.on("close", done).on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const { bytes, whole } = parts()
      if (bytes.length > 0) first ??= turn()
      if (whole) done()
    }).write(`${line} HTTP/1.1\r\ncontent-length: ${body.length}\r\n${lines.join("")}\r\n${body}`)
  })
}

interface Request {
  /** The method and the path. */
  readonly line: string
  readonly body?: string
}

interface AnswerInTurns {
  /** The status, or 0 if the answer was cut before its head was complete. */
  readonly status: number
  readonly bytes: Buffer
  /** Whether all bytes arrived that the head had promised. */
  readonly whole: boolean
  /** The turns in which the body's first byte arrived and in which the answer ended. */
  readonly first: number | undefined
  readonly last: number
}

interface Shown {
  readonly id: string
  readonly url?: string
  readonly whole: Buffer
}

/** How a link is viewed: on its page or in a health app. */
interface Form {
  /** Makes links to one release, each with what it shows. */
  readonly links: (processes: Processes, owner: SignedIn, documentId: string, count: number) => Promise<Array<Shown>>
  readonly request: (link: Shown, session: string) => Request
  /** The answer once the link was revoked. */
  readonly refusal: readonly [status: number, error: string]
}

export const onPage: Form = {
  links: async ({ home, superuser }, { id }, documentId, count) => {
    const whole = await recipientCopy(home, superuser, documentId)
    return (await giveLinks(home, superuser, { id, documentId }, count)).map((link) => ({ ...link, whole }))
  },
  request: (_, viewSession) => ({ line: "POST /api/secure-links/view", body: JSON.stringify({ viewSession }) }),
  refusal: [410, "link_disabled"]
}

export const inApp: Form = {
  links: async ({ home, one, superuser }, owner, documentId, count) => {
    const links: Array<Shown> = []
    while (links.length < count) {
      const link = await createAppLink(one, owner, { documentId, recipientEmail })
      links.push({ ...link, whole: Buffer.from(await storedJwe(home, superuser, link.id)) })
    }
    return links
  },
  request: ({ url }, ticket) => ({ line: `GET ${new URL(payloadOf(url!).url).pathname}/files/${ticket}` }),
  refusal: [404, "not_found"]
}

/** Lets views race against revokes of their links over two processes. `rounds` is a multiple of four. */
export const raceRevokes = async (processes: Processes, rounds: number, form: Form) => {
  const { home, one, other, superuser } = processes
  // Each pair has a separate veteran, because a veteran may send at most 600 requests a minute.
  const pairs = []
  for (const services of [[one, other], [other, one], [one, one], [other, other]]) {
    const owner = await signInVeteran(one)
    const links = await form.links(processes, owner, (await signed(one, owner)).document.id, rounds / 4)
    const racing = await giveSessions(home, superuser, links)
    const late = await giveSessions(home, superuser, links)
    await superuser.query(
      `update secure_link_view_sessions s set via = case when l.shl_hash is null then 'page' else 'app' end
       from secure_links l where l.id = s.link_id`
    )
    pairs.push({ owner, links, racing, late, viewer: services[0]!, revoker: services[1]! })
  }
  const outcomes = { "refused": 0, "cut before its first byte": 0, "cut": 0, "whole": 0 }
  const refused = ({ bytes, status, whole }: AnswerInTurns) =>
    status === form.refusal[0] && whole && JSON.parse(bytes.toString()).error === form.refusal[1]
  const json = { "content-type": "application/json" }

  await Promise.all(pairs.map(async ({ late, links, owner, racing, revoker, viewer }) => {
    let lead = 5
    for (const [n, link] of links.entries()) {
      const ask = (session: string) => send(viewer, form.request(link, session), json)
      const revoke = () => send(revoker, { line: `POST /api/veteran/me/secure-links/${link.id}/revoke` }, owner.headers)
      // The view starts this many milliseconds earlier, so that each side wins about half of the races.
      const ahead = Math.round(lead + 4 * Math.random() - 2)
      const later = <A>(act: () => Promise<A>, milliseconds: number) =>
        milliseconds <= 0 ? act() : new Promise((resume) => setTimeout(resume, milliseconds)).then(act)
      const [viewed, revoked] = await Promise.all([later(() => ask(racing[n]!), -ahead), later(revoke, ahead)])
      assert.strictEqual(revoked.status, 200)
      assert.isTrue(refused(await ask(late[n]!)), "a view that was sent after the revoke had answered")

      const sent = viewed.status === 200 && viewed.bytes.length > 0
      // The first rounds look for the right value.
      lead += (sent ? -1 : 1) * (n < 25 ? 2 : 0.5)
      if (refused(viewed)) outcomes["refused"]++
      else if (sent) {
        outcomes[viewed.whole ? "whole" : "cut"]++
        assert.isTrue(viewed.bytes.equals(link.whole.subarray(0, viewed.bytes.length)))
        assert.isAtMost(viewed.first!, revoked.last, "the view's first byte came after the revoke's answer")
      } else {
        outcomes["cut before its first byte"]++
        assert.deepStrictEqual([[0, 200].includes(viewed.status), viewed.bytes.length], [true, 0], `${viewed.status}`)
      }
    }
  }))
  // The races are real only if both outcomes occur often. In a few rounds `lead` may not reach the right value.
  const before = outcomes["whole"] + outcomes["cut"]
  if (rounds >= 400) assert.isAbove(Math.min(before, rounds - before), rounds / 10)
}
