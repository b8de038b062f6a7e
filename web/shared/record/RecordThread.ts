import type { About, Access, FromThread, Line, ToThread } from "./Messages.ts"
import { RequestFailure } from "./PageFetcher.ts"
import { ReadingQueue } from "./ReadingQueue.ts"
import { firstTypes, type Listener, type ReceivedItem, type RecordPages } from "./RecordPages.ts"
import { RecordReading } from "./RecordReading.ts"

/** The most lines in one message. The page processes them in far less than 50 ms. */
const slice = 500

/** Milliseconds between two reports while a type of many pages is read. */
const whileReading = 1_000

export const tell = (message: FromThread) => postMessage(message)

/** Makes the pages of the record that a page asked to open. */
type OpenPages = (asked: Extract<ToThread, { readonly ask: "open" }>, listener: Listener) => RecordPages

/**
 * The work of a thread that reads a record. It keeps the exact texts, and sends the web page what to show, in small
 * messages. When the thread is terminated, the record is gone.
 */
export class RecordThread {
  readonly reading = new RecordReading()
  private readonly whole = new Set<string>()
  private readonly openPages: OpenPages
  private pages: RecordPages | undefined
  private about: About | undefined
  private isNewUnknown = false
  private toldAt = 0
  private readonly queue = new ReadingQueue(({ bytes, isLast, items, resourceType }) => {
    this.tellLines(this.reading.add(resourceType, items, bytes))
    if (!isLast) return performance.now() - this.toldAt < whileReading ? undefined : this.tellProgress(false)
    this.whole.add(resourceType)
    if (resourceType === "Medication") this.tellLines(this.reading.nameAgain())
    if (firstTypes.includes(resourceType)) tell({ is: "glance", glance: this.reading.glance() })
    this.tellProgress(false)
  })

  constructor(openPages: OpenPages) {
    this.openPages = openPages
  }

  /** Answers what every page asks. */
  hear(asked: ToThread) {
    switch (asked.ask) {
      case "open":
        this.pages = this.openPages(asked, this.listener)
        return void this.read(asked.access)
      case "again":
        this.isNewUnknown = false
        this.tellProgress(false)
        return void this.read(asked.access)
      case "item":
        return tell({ is: "item", item: this.reading.item(asked.key) })
      case "source":
        return tell({ is: "source", key: asked.key, source: this.reading.source(asked.key) })
    }
  }

  /** Reads a record that is there whole. */
  async readWhole(open: () => { readonly about: About; readonly types: Types; readonly bytes: Uint8Array }) {
    let failed: unknown
    try {
      const { about, bytes, types } = open()
      tell({ is: "about", about })
      for (const [resourceType, items] of types) this.queue.add({ resourceType, items, bytes, isLast: true })
      // A chosen type may have no items.
      for (const { resourceType } of about.sections) if (!types.has(resourceType)) this.whole.add(resourceType)
    } catch (problem) {
      failed = problem
    }
    await this.finish(failed)
  }

  private readonly listener: Listener = {
    about: (told) => {
      this.about = told
      tell({ is: "about", about: told })
    },
    page: (page) => this.queue.add(page),
    changes: (changes) => {
      this.isNewUnknown = changes === undefined
      if (changes === undefined) return
      this.tellLines(this.reading.mark(changes))
      tell({ is: "about", about: { ...this.about!, since: changes.since } })
      this.tellProgress(false)
    }
  }

  private async read(access: Access) {
    await this.finish(await this.pages!.read(access).then(() => undefined, (failed: unknown) => failed))
  }

  /** Tells the end of the reading, or why it failed. Pages that came before the failure are shown too. */
  private async finish(failed: unknown) {
    await this.queue.empty()
    this.tellLines(this.reading.nameAgain())
    tell({ is: "glance", glance: this.reading.glance() })
    this.tellProgress(failed === undefined)
    if (failed === undefined) return
    tell({
      is: "failed",
      failure: failed instanceof RequestFailure ? failed.failure : { status: 0, error: "internal_error" }
    })
  }

  private tellLines(lines: ReadonlyArray<Line>) {
    for (let at = 0; at < lines.length; at += slice) tell({ is: "lines", lines: lines.slice(at, at + slice) })
  }

  private tellProgress(done: boolean) {
    this.toldAt = performance.now()
    const { isNewUnknown, whole } = this
    tell({ is: "progress", progress: { order: this.reading.order(), whole: [...whole], isNewUnknown, done } })
  }
}

/** The items of a whole record, by type. */
type Types = ReadonlyMap<string, ReadonlyArray<ReceivedItem>>
