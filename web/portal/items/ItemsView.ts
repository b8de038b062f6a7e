import type { KindFilter } from "./Kinds.ts"

/** Which items the table shows, and which one is open. */
export interface ItemsView {
  readonly kind: KindFilter
  readonly query: string
  /** The key of the open item. */
  readonly open: number | undefined
  /**
   * The element that opened the item and gets the focus back. It is undefined if the item's own row opened the item.
   */
  readonly opener: HTMLElement | undefined
}

export const firstView: ItemsView = { kind: "all", query: "", open: undefined, opener: undefined }
