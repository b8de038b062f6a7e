import type { Problem } from "../../shared/Problem.ts"

/** After these, the service may have done it although its answer was lost. It is asked before it is offered again. */
const doubtful = new Set(["unreachable", "service_unavailable", "internal_error", "request_timeout"])

export const isDoubtful = ({ error }: Problem) => doubtful.has(error)

/** The veteran did not want to be confirmed. Nothing happened, so nothing is said. */
export const isDeclined = ({ error }: Problem) => error === "not_confirmed"
