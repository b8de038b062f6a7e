import { createContext, type ReactNode, useContext } from "react"
import type { GlanceItem } from "../../../src/clinical/GlanceCards.ts"
import type { Stand, Tag } from "./glance/Completeness.ts"

/**
 * What a record's parts say differently to a clinician and to the veteran. The parts are the same, so that both see the
 * same items in the same order.
 */
export interface ReaderWords {
  /** The state of a card. `isEmpty` is true if the card shows nothing of the record. */
  readonly tag: (stand: Stand, isEmpty: boolean) => Tag
  /** More about the state, below the card's name. Null if the page says it elsewhere. */
  readonly about: (stand: Stand) => string | null
  /** A card without items. `past` is true if past items exist, and `hasOthers` if the card shows something else. */
  readonly empty: (stand: Stand, name: string, past: boolean, hasOthers: boolean) => string
  readonly notAllLoaded: (name: string) => string
  /** What a reader can do about a kind that was not loaded. */
  readonly ifMissing: ReactNode
  readonly problems: string
  /** The line below a medication. */
  readonly dose: (medication: GlanceItem) => string
  readonly noRanges: string
  /** The veteran's own entries in the cards. `cut` is said where older ones may be missing. */
  readonly own: {
    readonly tag: string
    readonly about: string
    readonly cut: string | null
    readonly all: (count: number) => string
  }
  /** An open item. */
  readonly mistake: string
  readonly narrative: string
  readonly source: string
  /** The name of the place where the source is shown. */
  readonly sourceName: string
}

export const ReaderWordsContext = createContext<ReaderWords | undefined>(undefined)

export const useReaderWords = () => {
  const words = useContext(ReaderWordsContext)
  if (words === undefined) throw new Error("A record is shown by a page that knows its reader.")
  return words
}
