import type { SignedPerson } from "../../../src/clinical/SamePerson.ts"
import type { About, Access, FromThread, Line, ToThread } from "./Messages.ts"
import { ReadingQueue } from "./ReadingQueue.ts"
import { firstTypes, RecordPages, RequestFailure } from "./RecordPages.ts"
import { RecordReading } from "./RecordReading.ts"
import { checked, resourcesOf } from "./ReleasedBundle.ts"

/**
 * The thread that reads a record. It fetches the record, keeps the exact texts, and sends the web page what to show, in
 * small messages. When the thread is terminated, the record is gone.
 */

/** The most lines in one message. The page processes them in far less than 50 ms. */
const slice = 500

const tell = (message: FromThread) => postMessage(message)

const reading = new RecordReading()
const whole = new Set<string>()
let isNewUnknown = false
let pages: RecordPages | undefined
let about: About | undefined

const tellLines = (lines: ReadonlyArray<Line>) => {
  for (let at = 0; at < lines.length; at += slice) tell({ is: "lines", lines: lines.slice(at, at + slice) })
}

const tellProgress = (done: boolean) =>
  tell({ is: "progress", progress: { order: reading.order(), whole: [...whole], isNewUnknown, done } })

const queue = new ReadingQueue(({ bytes, isLast, items, resourceType }) => {
  tellLines(reading.add(resourceType, items, bytes))
  if (!isLast) return
  whole.add(resourceType)
  if (resourceType === "Medication") tellLines(reading.nameAgain())
  if (firstTypes.includes(resourceType)) tell({ is: "glance", glance: reading.glance() })
  tellProgress(false)
})

const open = (veteranId: string, access: Access) => {
  pages = new RecordPages(veteranId, access, {
    about: (told) => {
      about = told
      tell({ is: "about", about })
    },
    page: (page) => queue.add(page),
    changes: (changes) => {
      isNewUnknown = changes === undefined
      if (changes === undefined) return
      tellLines(reading.mark(changes))
      tell({ is: "about", about: { ...about!, since: changes.since } })
      tellProgress(false)
    }
  })
}

const read = async (access: Access) => {
  const failed = await pages!.read(access).then(() => undefined, (failed: unknown) => failed)
  await finish(failed)
}

const readBundle = async (bytes: Uint8Array, signed: About, veteran: SignedPerson) => {
  let failed: unknown
  try {
    const types = resourcesOf(bytes)
    const about = checked(bytes, types, signed, veteran)
    tell({ is: "about", about })
    for (const [resourceType, items] of types) queue.add({ resourceType, items, bytes, isLast: true })
    // A chosen type may have no items in the Bundle.
    for (const { resourceType } of about.sections) if (!types.has(resourceType)) whole.add(resourceType)
  } catch (problem) {
    failed = problem
  }
  await finish(failed)
}

/** Tells the end of the reading, or why it failed. Pages that came before the failure are shown too. */
const finish = async (failed: unknown) => {
  await queue.empty()
  tellLines(reading.nameAgain())
  tell({ is: "glance", glance: reading.glance() })
  tellProgress(failed === undefined)
  if (failed === undefined) return
  tell({
    is: "failed",
    failure: failed instanceof RequestFailure ? failed.failure : { status: 0, error: "internal_error" }
  })
}

addEventListener("message", ({ data }: MessageEvent<ToThread>) => {
  switch (data.ask) {
    case "open":
      open(data.veteranId, data.access)
      return void read(data.access)
    case "released":
      return void readBundle(data.bytes, data.about, data.veteran)
    case "again":
      isNewUnknown = false
      tellProgress(false)
      return void read(data.access)
    case "item":
      return tell({ is: "item", item: reading.item(data.key) })
    case "source":
      return tell({ is: "source", key: data.key, source: reading.source(data.key) })
    case "bundle":
      return tell({ is: "bundle", bundle: reading.bundle(data.frame) })
  }
})
