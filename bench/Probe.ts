/** What web-probe.ts answers out of a page. All times are milliseconds of the page's own clock. */
export interface Probe {
  /** When something of the page was painted first, and the bytes of its HTML, scripts and styles as they came. */
  readonly load: () => Promise<Record<"painted" | "bytes", number>>
  /** Chooses the first patient, and tells how long it took until what of the record was shown. */
  readonly opening: () => Promise<Record<"bar" | "lists" | "glance" | "all", number>>
  /** Waits for the next keystroke. */
  readonly keystroke: () => void
  /** From that until the frame that shows another number of items; null where it stays the same. */
  readonly frame: () => Promise<number | null>
  /** The longest task since this was asked last; 0: none took 50 ms. */
  readonly longest: () => number
  /** Only fetches: the first address, then the others, so many at a time. */
  readonly fetched: (
    addresses: ReadonlyArray<string>,
    headers: Readonly<Record<string, string>>,
    atOnce: number
  ) => Promise<number>
}
