import type { Alert } from "../../domain/Alert.ts"

/** The codes of `issue-type` (R4) that this service uses. */
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
  | "too-costly"
  | "too-long"
  | "transient"

interface Problem {
  readonly id: string
  readonly code: IssueCode
  readonly texts: ReadonlyArray<string>
}

/** Explains why a request failed. The id is that of the request. */
export const failure = ({ code, id, texts }: Problem) => ({
  resourceType: "OperationOutcome",
  id,
  issue: texts.map((text) => ({ severity: "error", code, details: { text } }))
})

/** Warns that there may be more items of a type than the answer shows. */
export const incompleteness = ({ code, message }: Alert) => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "warning", code: "incomplete", details: { coding: [{ code }], text: message } }]
})

/** Warns that a page lacks some of the items that its matches include. */
export const includesCut = () => ({
  resourceType: "OperationOutcome",
  issue: [{
    severity: "warning",
    code: "incomplete",
    details: {
      text: "This page has no room for all items that it should include: ask for fewer matches with '_count'."
    }
  }]
})

const maxNames = 10

const maxNameLength = 50

/** One name of a parameter as it is repeated to its client. A FHIR string has no control characters. */
const shownName = (name: string) => `'${name.slice(0, maxNameLength).toWellFormed().replaceAll(/\p{Cc}/gu, "\ufffd")}'`

/** Tells which parameters of a search were ignored. Their values are not repeated. */
export const ignoredParameters = (names: ReadonlyArray<string>) => {
  const shown = names.slice(0, maxNames).map(shownName).join(", ")
  const others = names.length > maxNames ? ` and ${names.length - maxNames} more` : ""
  const text = `This search ignored parameters that are not known here: ${shown}${others}`
  return {
    resourceType: "OperationOutcome",
    issue: [{ severity: "information", code: "not-supported", details: { text } }]
  }
}
