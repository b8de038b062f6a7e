import type { StepProps as Props } from "../frame/Steps.ts"
import type { Draft } from "./Draft.ts"

/** The last of the five steps, which makes the share. */
export const lastStep = 4

export type StepProps = Props<Draft>

/** The step in which each part of a grant is chosen. */
const parts: Readonly<Record<string, number>> = {
  providerId: 0,
  resourceTypes: 1,
  includeSelfReported: 1,
  includeDocuments: 1,
  sensitiveCategories: 2,
  expiresAt: 3,
  purpose: 3
}

/** The step to which the first issue of a refused share leads, or undefined if no step can mend it. */
export const stepOfIssue = (issues: ReadonlyArray<{ readonly path: ReadonlyArray<string | number> }>) => {
  const part = `${issues[0]?.path[0]}`
  return Object.hasOwn(parts, part) ? parts[part] : undefined
}
