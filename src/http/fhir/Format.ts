import type { HttpServerRequest } from "effect/http"

/** The names of JSON, the only format of answers. A plus sign that was not encoded arrives as a space. */
const json: ReadonlySet<string> = new Set(["json", "text/json", "application/json", "application/fhir+json",
  "application/fhir json", "application/json+fhir"])

const ranges: ReadonlySet<string> = new Set([...json, "*/*", "application/*"])

/** Whether the client accepts JSON. `_format` overrides `accept` (FHIR R4, 3.1.0.1.11). */
export const takesJson = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  formats: ReadonlyArray<string>
): boolean => {
  if (formats.length > 0) return formats.every((format) => ranges.has(mediaType(format)))
  const accept = headers["accept"]?.trim() ?? ""
  return accept === "" || accept.split(",").some((range) => ranges.has(mediaType(range)) && !isRefused(range))
}

const mediaType = (text: string) => text.split(";", 1)[0]!.trim().toLowerCase()

const isRefused = (range: string) => /;\s*q=0(\.0*)?\s*(;|$)/i.test(range)
