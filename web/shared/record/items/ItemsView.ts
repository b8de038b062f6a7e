import { useCallback, useRef, useState } from "react"
import type { ItemFilter } from "./ItemFilter.ts"
import type { KindFilter } from "./Kinds.ts"
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

/** What a page with a first glance and a table of all items shows, and the ways from the glance to the table. */
export const useItemsView = () => {
  const [shown, setShown] = useState<ItemsView>(firstView)
  const heading = useRef<HTMLHeadingElement>(null)
  const goToItems = useCallback(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView()
  }, [])
  const showAll = useCallback((kind: KindFilter) => {
    setShown({ ...firstView, kind })
    goToItems()
  }, [goToItems])
  const showItem = useCallback((open: number) => {
    const opener = document.activeElement
    setShown({ ...firstView, open, opener: opener instanceof HTMLElement ? opener : undefined })
  }, [])
  return { shown, setShown, heading, goToItems, showAll, showItem }
}
