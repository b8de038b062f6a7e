import type { KindFilter } from "./Kinds.ts"

/** What of all items is shown. */
export interface Shown {
  readonly kind: KindFilter
  readonly query: string
  /** The key of the item that is open. */
  readonly open: number | undefined
  /** What opened it and takes the focus again, where that is not its row. */
  readonly opener: HTMLElement | undefined
}

export const shownFirst: Shown = { kind: "all", query: "", open: undefined, opener: undefined }
