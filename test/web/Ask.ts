import { Agent, type IncomingHttpHeaders, request as overHttp } from "node:http"
import { Agent as TlsAgent, request as overHttps } from "node:https"

export interface Arrived {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const [agent, tlsAgent] = [new Agent({ keepAlive: true }), new TlsAgent({ keepAlive: true })]

/** Sends one request literally: the path is not normalized, no encoding is undone, and no certificate is checked. */
export const ask = (
  origin: string,
  path: string,
  { headers = {}, method = "GET" }: { readonly headers?: Record<string, string>; readonly method?: string } = {}
) =>
  new Promise<Arrived>((resolve, reject) => {
    const { hostname, port, protocol } = new URL(origin)
    const secure = protocol === "https:"
    const options = { hostname, port, path, method, headers, family: 4, rejectUnauthorized: false }
    const send = secure ? overHttps : overHttp
    send({ ...options, agent: secure ? tlsAgent : agent }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject).on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }))
    }).on("error", reject).end()
  })
