import { Effect, Option, Schema } from "effect"
import { pageLimit } from "../../../src/domain/Page.ts"
import { Problem } from "../../shared/Problem.ts"
import type { Session } from "../session/Session.ts"

const unreachable = Problem.make({ error: "unreachable" })

const decodeProblem = Schema.decodeUnknownOption(Problem)

const ask = (address: string, authorization: string, accept: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(address, { signal, headers: { authorization, accept } })
      return { status: response.status, next: response.headers.get("link"), text: await response.text() }
    },
    catch: () => unreachable
  })

/** The typed client asks for JSON, so this asks by itself. A 401 is answered by one renewal. */
const answer = Effect.fnUntraced(function*(session: Session, path: string, accept: string) {
  const { api, authorization } = session.authorization()
  const first = yield* ask(api + path, authorization, accept)
  if (first.status !== 401) return first
  const second = yield* ask(api + path, (yield* session.renewed).authorization, accept)
  if (second.status === 401) session.lock()
  return second
})

const problemIn = (text: string) => {
  try {
    return Option.getOrElse(decodeProblem(JSON.parse(text)), () => unreachable)
  } catch {
    return unreachable
  }
}

/** Reads every page of a list, the newest first. A page that does not come fails the whole. */
const pagesOf = Effect.fnUntraced(function*(session: Session, first: string, accept: string) {
  const pages: Array<string> = []
  let path: string | undefined = first
  while (path !== undefined) {
    const page: Effect.Success<ReturnType<typeof answer>> = yield* answer(session, path, accept)
    if (page.status !== 200) return yield* Effect.fail(problemIn(page.text))
    pages.push(page.text)
    path = /^<(\/[^>]*)>; rel="next"$/.exec(page.next ?? "")?.[1]
  }
  return pages
})

const list = "/api/veteran/me/disclosures"

/** The whole list as one CSV file (RFC 4180). */
export const csvOf = (session: Session, filter: Readonly<Record<string, string>>) =>
  Effect.map(
    pagesOf(session, `${list}?${new URLSearchParams({ ...filter, limit: `${pageLimit.maximum}` })}`, "text/csv"),
    // Every page begins with the names of the columns.
    (pages) => pages.map((page, index) => index === 0 ? page : page.slice(page.indexOf("\r\n") + 2))
  )

interface Bundle {
  readonly link?: unknown
  readonly entry?: ReadonlyArray<unknown>
}

/** All looks of others as one FHIR bundle of AuditEvents. */
export const fhirOf = (session: Session) =>
  Effect.map(pagesOf(session, `${list}/fhir?limit=${pageLimit.maximum}`, "application/fhir+json"), (pages) => {
    const bundles = pages.map((page): Bundle => JSON.parse(page))
    const { link: _, ...bundle } = bundles[0]!
    return [JSON.stringify({ ...bundle, entry: bundles.flatMap(({ entry = [] }) => entry) })]
  })
