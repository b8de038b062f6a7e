import { createInstance, getHttpOperationsFromSpec, type IHttpRequest, type IHttpResponse } from "@stoplight/prism-http"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { afterEach, assert } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { type AtEnd, sharing, startApp } from "./App.ts"
import { assertionSecret } from "./Assertions.ts"
import { call } from "./Client.ts"

/** A request and its answer as they went over the wire. */
interface Exchange {
  readonly method: string
  readonly url: string
  readonly sent: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }
  readonly answered: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, zstd: zstdDecompressSync }

const attempt = <A, B>(made: () => A, otherwise: B): A | B => {
  try {
    return made()
  } catch {
    return otherwise
  }
}

/** The body as Prism's own server reads it: JSON as a value, anything else as text. */
const bodyOf = ({ body, headers }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }): unknown => {
  if (body.length === 0) return undefined
  const decode = decoders[headers["content-encoding"] ?? ""]
  const text = (decode === undefined ? body : attempt(() => decode(body), body)).toString()
  return /^application\/(.+\+)?json\b/.test(headers["content-type"] ?? "")
    ? attempt(() => JSON.parse(text), text)
    : text
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const queryOf = (search: URLSearchParams): Record<string, string | Array<string>> =>
  Object.fromEntries([...new Set(search.keys())].map((name) => {
    const values = search.getAll(name)
    return [name, values.length === 1 ? values[0]! : values]
  }))

/** The authorization endpoint refuses an app by a redirect to the app's own address. */
const isRefusal = ({ headers: { location = "" }, status }: Exchange["answered"]): boolean =>
  status >= 400 || URL.parse(location)?.searchParams.has("error") === true

const silent: any = { child: () => silent, trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** Two requests of different shapes are never of the same operation. */
const shapeOf = (method: string, path: string) => `${method} ${path.split("/").length}`

/**
 * Returns a function that lists how an exchange differs from an OpenAPI document, as Prism's validating proxy does. If
 * the service refused a request, only the answer must match the document. Routes that the document does not name are
 * ignored.
 */
export const prismJudge = async (document: object) => {
  // Prism changes the document when it resolves references.
  const operations = await getHttpOperationsFromSpec(structuredClone(document))
  // Prism compares a request with all paths that it is given, which takes longer than to judge it.
  const candidates = Map.groupBy(operations, ({ method, path }) => shapeOf(method, path))
  return async ({ answered, method, sent, url }: Exchange): Promise<ReadonlyArray<string>> => {
    const { pathname, searchParams } = new URL(url, "http://localhost")
    // Prism's router throws if a path is not UTF-8.
    if (attempt(() => decodeURIComponent(pathname), undefined) === undefined) return []
    const input: IHttpRequest = {
      method: method.toLowerCase() as IHttpRequest["method"],
      // Prism compares paths as text, without decoding them.
      url: { path: pathname.replaceAll("%24", "$"), query: queryOf(searchParams) },
      headers: flat(sent.headers),
      body: bodyOf(sent)
    }
    const output: IHttpResponse = {
      statusCode: answered.status,
      headers: flat(answered.headers),
      body: bodyOf(answered)
    }
    const prism = createInstance(
      {
        isProxy: true,
        upstream: new URL("http://localhost"),
        upstreamProxy: undefined,
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: true,
        mock: { dynamic: false }
      },
      // This passes the existing answer on. Prism's own client would follow redirects and parse the body.
      { logger: silent, forward: () => () => async () => ({ _tag: "Right", right: output }) }
    )
    const judged = await prism.request(input, candidates.get(shapeOf(input.method, input.url.path)) ?? [])()
    if (judged._tag === "Left") return []
    const { validations } = judged.right
    return [...isRefusal(answered) ? [] : validations.input, ...validations.output].map(({ message }) =>
      `${method} ${pathname} ${answered.status}: ${message}`
    )
  }
}

/**
 * Forwards a request to the service and returns the answer unchanged. Prism may judge for seconds in one turn of the
 * event loop, and the service may close an idle connection meanwhile. So no connection is used twice.
 */
const relay = async (upstream: string, incoming: IncomingMessage, body: Buffer) => {
  const { headers, method, url } = incoming
  const outgoing = request(`${upstream}${url}`, { method, headers, agent: false }).end(body)
  const [answer] = await once(outgoing, "response") as [IncomingMessage]
  return { answer, body: await buffer(answer) }
}

/** Starts the service behind a proxy, which collects how each exchange differs from `openapi.json`. */
const startJudged = async (_: unknown, atEnd: AtEnd) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  // Apps know the service by the proxy's address.
  const { database, service } = await startApp(
    { OAUTH_ISSUER: url, IDENTITY_ASSERTION_SECRET: assertionSecret },
    atEnd
  )
  const judge = await prismJudge((await call(service, "GET", "/api/openapi.json")).json)
  const differences: Array<string> = []

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const sent = { headers: incoming.headers, body: await buffer(incoming) }
    const { answer, body } = await relay(service.url, incoming, sent.body)
    const answered = { status: answer.statusCode!, headers: answer.headers, body }
    differences.push(...await judge({ method: incoming.method!, url: incoming.url!, sent, answered }))
    response.writeHead(answered.status, answer.rawHeaders).end(body)
  }
  // For the same reason, the proxy closes no idle connection.
  const proxy = createServer(
    { keepAliveTimeout: 0 },
    (incoming, response) => void handle(incoming, response).catch((cause) => response.destroy(cause))
  )
  await once(proxy.listen(port, "localhost"), "listening")
  atEnd(async () => proxy.close().closeAllConnections())
  return { database, service: { ...service, url }, differences }
}

const openJudged = sharing(startJudged)

/**
 * Opens the real service behind Prism, which judges every request to `service.url`. A test fails if an exchange differs
 * from `openapi.json`, and prints the differences. The files of a worker share the service.
 */
export const openJudgedApp = async () => {
  const { database, differences, service } = await openJudged()
  afterEach(() => assert.deepStrictEqual(differences.splice(0), []))
  return { database, service }
}
