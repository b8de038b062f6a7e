import type { ItemFilter } from "./ItemFilter.ts"
import { newestFirst, type Sorting } from "./Sorting.ts"

/** Which items the table shows and in which order, and which one is open. */
export interface ItemsView extends ItemFilter {
  readonly sorting: Sorting
  /** The key of the open item. */
  readonly open: number | undefined
  /** The element that opened the item and gets the focus back, unless it is the item's row. */
  readonly opener: HTMLElement | undefined
}

export const firstView: ItemsView = {
  kind: "all",
  query: "",
  from: "",
  to: "",
  isActiveOnly: false,
  isNewOnly: false,
  sorting: newestFirst,
  open: undefined,
  opener: undefined
}
