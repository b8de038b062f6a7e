import type { Page } from "playwright-core"

/** Everything that a page sent, as text: method, address, headers and body of each request. */
export const sentBy = (page: Page) => {
  const sent: Array<Promise<{ readonly url: string; readonly text: string }>> = []
  page.on("request", (request) =>
    sent.push((async () => {
      const headers = await request.allHeaders().catch(() => request.headers())
      const body = request.postData() ?? ""
      return { url: request.url(), text: `${request.method()} ${request.url()}\n${JSON.stringify(headers)}\n${body}` }
    })()))
  return {
    /** What was sent to addresses that begin so. */
    to: async (origin: string) =>
      (await Promise.all(sent)).filter(({ url }) => url.startsWith(origin)).map(({ text }) => text)
  }
}
