/** What web-probe.ts measures in a page. All times are milliseconds of the page's clock. */
export interface Probe {
  /** The time of the page's first paint, and the transferred bytes of its HTML, scripts and styles. */
  readonly load: () => Promise<Record<"painted" | "bytes", number>>
  /** Opens the first patient, and returns how long it took until each part of the record was shown. */
  readonly opening: () => Promise<Record<"bar" | "lists" | "glance" | "all", number>>
  /** Prepares to time the next keystroke. `frame` returns the result. */
  readonly keystroke: () => void
  /** Time from the keystroke to the frame in which the shown number of items changes; null if it does not change. */
  readonly frame: () => Promise<number | null>
  /** The longest task since the last call. Only tasks of at least 50 ms count: 0 means that there was none. */
  readonly longest: () => number
  /** Fetches the first address, then the others, `atOnce` at a time, and shows nothing. Returns the total time. */
  readonly fetched: (
    addresses: ReadonlyArray<string>,
    headers: Readonly<Record<string, string>>,
    atOnce: number
  ) => Promise<number>
}
