import { HttpApi } from "effect/http-api"
import { Api } from "../Api.ts"

interface PathMethods {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

export const pathPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.$]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`)

const paths = new Map<string, PathMethods>()

const addPath = (path: string, method: string) => {
  const known = paths.get(path)
  const pattern = known?.pattern ?? pathPattern(path)
  paths.set(path, { pattern, methods: (known?.methods ?? new Set()).add(method) })
  if (method === "GET") addPath(path, "HEAD")
}

HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => addPath(endpoint.path, endpoint.method) })

for (const path of ["/api/openapi.json", "/api/docs"]) addPath(path, "GET")

export const allowedMethods = (url: string, apiDocs: boolean): ReadonlyArray<string> => {
  const path = url.split("?", 1)[0]!
  if (path === "/api/docs" && !apiDocs) return []
  const matching = [...paths.values()].filter(({ pattern }) => pattern.test(path))
  return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
}
