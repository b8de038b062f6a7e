import type { Locator } from "playwright-core"

/** What one part of the way took: presses, fields that were typed in, and the milliseconds until the page was ready. */
export interface Part {
  readonly name: string
  taps: number
  fields: number
  millis: number
}

/**
 * The hands of a person who is measured. Each press is followed by what shows that the page is ready for the next one.
 * The time in between is the page's own: nobody reads, types or waits for a mail in it.
 */
export const newHands = () => {
  const parts: Array<Part> = []
  let part: Part | undefined

  const ready = async (act: () => Promise<unknown>, shown: () => Promise<unknown>) => {
    const begun = performance.now()
    await act()
    await shown()
    part!.millis += performance.now() - begun
  }
  return {
    parts,
    /** The next part of the way. */
    begin: (name: string) => {
      part = { name, taps: 0, fields: 0, millis: 0 }
      parts.push(part)
    },
    tap: async (what: Locator, shown: () => Promise<unknown> = async () => {}) => {
      part!.taps++
      await ready(() => what.click(), shown)
    },
    /** A typed field costs one tap to reach it. */
    type: async (what: Locator, text: string) => {
      part!.fields++
      await what.fill(text)
    },
    /** Opens something without a tap in our pages, such as what a camera has read. */
    open: ready,
    /** Waits for what comes by itself. */
    wait: (shown: () => Promise<unknown>) => ready(async () => {}, shown)
  }
}

const sum = (parts: ReadonlyArray<Part>): Part =>
  parts.reduce((all, { fields, millis, taps }) => ({
    name: all.name,
    taps: all.taps + taps,
    fields: all.fields + fields,
    millis: all.millis + millis
  }), { name: "together", taps: 0, fields: 0, millis: 0 })

/** A table in Markdown, with the sum as its last line. */
export const tableOf = (parts: ReadonlyArray<Part>) =>
  [
    "| Part | Taps | Fields | Seconds of our own |",
    "| --- | --: | --: | --: |",
    ...[...parts, sum(parts)].map(({ fields, millis, name, taps }) =>
      `| ${name} | ${taps} | ${fields} | ${(millis / 1000).toFixed(1)} |`
    )
  ].join("\n")

export const together = sum
