import { randomAddress } from "./Client.ts"

export interface Arrival {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A browser over plain HTTP: it keeps cookies for each host, follows redirects and always calls from one address. */
export class Browser {
  readonly address: string
  readonly #cookies = new Map<string, Map<string, string>>()

  constructor(address = randomAddress()) {
    this.address = address
  }

  /** Cookies are kept by host and port, which is stricter than a browser is. */
  cookies(url: string | URL) {
    const { host } = new URL(url)
    const known = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, known)
    return known
  }

  /** Sends one request and keeps the cookies of its answer. */
  async ask(url: string | URL, form?: Record<string, string>): Promise<Arrival> {
    const jar = this.cookies(url)
    const response = await fetch(url, {
      redirect: "manual",
      headers: {
        "x-forwarded-for": this.address,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
      },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === "" || /max-age=0\b/i.test(line)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return { url: new URL(url), status: response.status, headers: response.headers, text: await response.text() }
  }

  /**
   * Follows redirects and returns the last page. Before an address that begins with one of `stopAt`, it stops and
   * returns that address.
   */
  async go(url: string | URL, { form, stopAt }: { form?: Record<string, string>; stopAt: ReadonlyArray<string> }) {
    let [next, sent] = [new URL(url), form]
    for (let steps = 0; steps < 20; steps++) {
      const arrival = await this.ask(next, sent)
      const location = arrival.headers.get("location")
      if (location === null) return arrival
      next = new URL(location, next)
      sent = undefined
      if (stopAt.some((start) => next.href.startsWith(start))) return { ...arrival, url: next }
    }
    throw new Error(`sent around in a circle: ${next.origin}${next.pathname}`)
  }
}
