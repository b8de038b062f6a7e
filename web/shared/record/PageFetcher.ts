import type { Access, Failure } from "./Messages.ts"

/** The most bytes of a record that a thread keeps. The page says that the rest is missing. */
const maxBytes = 256 * 1024 * 1024

/** The largest page of a list that is no record. */
const listLimit = 200

/** Pauses before a request is repeated, in milliseconds, after the network or the service failed. */
const waits = [1_000, 3_000]

const maxWaitMs = 60_000

/** Why a request failed, as an exception of this thread. */
export class RequestFailure {
  readonly failure: Failure
  constructor(failure: Failure) {
    this.failure = failure
  }
}

/** Fetches what a thread reads, below one path. It repeats a request if that may help, else throws `RequestFailure`. */
export class PageFetcher {
  /** Replaced when the session is renewed. */
  access: Access
  private readonly path: string
  private bytes = 0

  constructor(path: string, access: Access) {
    this.path = path
    this.access = access
  }

  /** The bytes of a page of items. All pages together have a limit. */
  async page(path: string): Promise<Uint8Array> {
    const bytes = await this.answer(path)
    if ((this.bytes += bytes.length) > maxBytes) throw new RequestFailure({ status: 0, error: "record_too_large" })
    return bytes
  }

  async json<A>(path: string): Promise<A> {
    return JSON.parse(new TextDecoder().decode(await this.answer(path)))
  }

  /** The pages of such a list, one after the other. */
  async *list<Page extends { readonly nextCursor: string | null }>(path: string): AsyncGenerator<Page> {
    let query = new URLSearchParams({ limit: `${listLimit}` })
    for (;;) {
      const page = await this.json<Page>(`${path}?${query}`)
      yield page
      if (page.nextCursor === null) return
      query = new URLSearchParams({ limit: `${listLimit}`, cursor: page.nextCursor })
    }
  }

  private async answer(path: string): Promise<Uint8Array> {
    for (let tries = 0;; tries++) {
      try {
        return await this.fetched(path)
      } catch (failed) {
        const failure = failed instanceof RequestFailure ? failed.failure : unreachable
        const wait = waitAfter(failure, tries)
        if (wait === undefined) throw new RequestFailure(failure)
        await new Promise((resume) => setTimeout(resume, wait))
      }
    }
  }

  private async fetched(path: string): Promise<Uint8Array> {
    const response = await fetch(`${this.access.api}${this.path}${path}`, {
      headers: { authorization: this.access.authorization },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer"
    })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    const problem = await response.json().catch(() => ({}))
    throw new RequestFailure({ ...problem, status: response.status, error: problem.error ?? "unreachable" })
  }
}

const unreachable: Failure = { status: 0, error: "unreachable" }

/** The milliseconds after which to repeat the request, or undefined to give up. */
const waitAfter = ({ error, retryAfterSeconds = 5, status }: Failure, tries: number) => {
  if (status === 429) return tries < 5 ? Math.min(retryAfterSeconds * 1000, maxWaitMs) : undefined
  return error === "unreachable" || status >= 500 ? waits[tries] : undefined
}
