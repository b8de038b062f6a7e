import type { Access, FromThread, Line, ToThread } from "./Messages.ts"
import { Failed, RecordPages } from "./RecordPages.ts"
import { RecordReading } from "./RecordReading.ts"

/**
 * The thread that reads a record: it fetches the pages, keeps the exact texts, and hands the page what it shows, in slices. Ended, it takes
 * the record with it.
 */

/** So many lines go in one message: a page takes them in far under 50 ms. */
const slice = 500

const tell = (message: FromThread) => postMessage(message)

const reading = new RecordReading()
const whole = new Set<string>()
let expected = 0
let isOpen = false
let pages: RecordPages | undefined

const tellLines = (lines: ReadonlyArray<Line>) => {
  for (let at = 0; at < lines.length; at += slice) tell({ is: "lines", lines: lines.slice(at, at + slice) })
}

const tellProgress = (done: boolean) =>
  tell({ is: "progress", progress: { order: reading.order(), expected, whole: [...whole], done } })

const inGlance = new Set([
  "Patient",
  "AllergyIntolerance",
  "Condition",
  "Medication",
  "MedicationRequest",
  "MedicationStatement",
  "Observation"
])

const open = (veteranId: string, access: Access) => {
  pages = new RecordPages(veteranId, access, {
    about: (about) => {
      expected = about.sections.reduce((sum, { itemCount }) => sum + itemCount, 0)
      tell({ is: "about", about })
    },
    opened: () => {
      isOpen = true
      tellLines(reading.nameAgain())
      tell({ is: "glance", glance: reading.glance() })
      tellProgress(false)
    },
    page: ({ bytes, isLast, items, resourceType }) => {
      tellLines(reading.add(resourceType, items, bytes))
      if (isLast) whole.add(resourceType)
      if (!isOpen) return
      if (isLast && resourceType === "Medication") tellLines(reading.nameAgain())
      if (isLast && inGlance.has(resourceType)) tell({ is: "glance", glance: reading.glance() })
      tellProgress(false)
    }
  })
}

const read = async (access: Access) => {
  try {
    await pages?.read(access)
    tellLines(reading.nameAgain())
    tell({ is: "glance", glance: reading.glance() })
    tellProgress(true)
  } catch (failed) {
    tell({
      is: "failed",
      failure: failed instanceof Failed ? failed.failure : { status: 0, error: "internal_error" }
    })
  }
}

addEventListener("message", ({ data }: MessageEvent<ToThread>) => {
  switch (data.ask) {
    case "open":
      open(data.veteranId, data.access)
      return void read(data.access)
    case "again":
      return void read(data.access)
    case "item":
      return tell({ is: "item", item: reading.item(data.key) })
    case "source":
      return tell({ is: "source", key: data.key, source: reading.source(data.key) })
  }
})
