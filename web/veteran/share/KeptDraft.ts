import type { Draft } from "./Draft.ts"

interface Kept {
  readonly veteranId: string
  readonly replaces: string | undefined
  readonly draft: Draft
  readonly step: number
}

/** The share that is being made, in memory only. After a sign-in it is found again. It has no health data. */
let kept: Kept | undefined

export const keepDraft = (draft: Kept | undefined) => {
  kept = draft
}

/** Returns the draft of this veteran for the same purpose, if there is one. */
export const keptDraft = (veteranId: string, replaces: string | undefined) =>
  kept?.veteranId === veteranId && kept.replaces === replaces ? kept : undefined
