import type { Alert } from "../../domain/Alert.ts"

/** The codes of `issue-type` (R4) that this service answers. */
export type IssueCode =
  | "exception"
  | "forbidden"
  | "incomplete"
  | "invalid"
  | "login"
  | "not-found"
  | "not-supported"
  | "throttled"
  | "timeout"
  | "too-long"
  | "transient"

interface Problem {
  readonly id: string
  readonly code: IssueCode
  /** At least one. */
  readonly texts: ReadonlyArray<string>
}

/** Says why a request failed; its id is the request's. */
export const failure = ({ code, id, texts }: Problem) => ({
  resourceType: "OperationOutcome",
  id,
  issue: texts.map((text) => ({ severity: "error", code, details: { text } }))
})

/** Says that of a type there may be more than is shown. */
export const incompleteness = ({ code, message }: Alert) => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "warning", code: "incomplete", details: { coding: [{ code }], text: message } }]
})
