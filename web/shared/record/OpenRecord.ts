import { takeWorker } from "../TrustedTypes.ts"
import type {
  About,
  Access,
  BundleFrame,
  Failure,
  FromThread,
  Item,
  Line,
  Progress,
  RecordGlance,
  ToThread
} from "./Messages.ts"

/** The part of the record that the page has. Each change makes a new object, except `lines`, which grows in place. */
export interface RecordState {
  readonly about: About | undefined
  readonly glance: RecordGlance | undefined
  /** Lines by key. */
  readonly lines: ReadonlyArray<Line>
  readonly progress: Progress
  readonly failure: Failure | undefined
  /** When the newest item arrived. */
  readonly loadedAt: Date | undefined
}

const nothing: Progress = { order: new Uint32Array(), whole: [], isNewUnknown: false, done: false }

type Answer = Item | string | Blob

/** The failure of a thread that ended by itself. Its record is gone, and only a new thread reads it again. */
export const threadEnded = "thread_ended"

/** A record that a thread is reading, and the page's requests to that thread. */
export class OpenRecord {
  private readonly thread: Worker
  private readonly lines: Array<Line> = []
  private readonly requests = new Map<string, (answer: Answer) => void>()
  private readonly listeners = new Set<() => void>()
  private state: RecordState = {
    about: undefined,
    glance: undefined,
    lines: this.lines,
    progress: nothing,
    failure: undefined,
    loadedAt: undefined
  }

  /** `script` is the address of the site's worker. */
  constructor(script: string, first: ToThread) {
    this.thread = takeWorker(script)
    this.thread.addEventListener("message", ({ data }: MessageEvent<FromThread>) => this.hear(data))
    this.thread.addEventListener("error", () => this.change({ failure: { status: 0, error: threadEnded } }))
    this.ask(first)
  }

  readonly current = () => this.state

  readonly subscribe = (changed: () => void) => {
    this.listeners.add(changed)
    return () => void this.listeners.delete(changed)
  }

  /** Continues the reading where it failed. */
  again(access: Access) {
    this.change({ failure: undefined })
    this.ask({ ask: "again", access })
  }

  item(key: number): Promise<Item> {
    return this.answer(`item ${key}`, { ask: "item", key }) as Promise<Item>
  }

  /** The exact text that was received. */
  source(key: number): Promise<string> {
    return this.answer(`source ${key}`, { ask: "source", key }) as Promise<string>
  }

  /** All items as one file. */
  bundle(frame: BundleFrame): Promise<Blob> {
    return this.answer("bundle", { ask: "bundle", frame }) as Promise<Blob>
  }

  /** Ends the thread, so that nothing of the record is left. */
  close() {
    this.thread.terminate()
    this.lines.length = 0
    this.listeners.clear()
    this.requests.clear()
  }

  private ask(message: ToThread) {
    this.thread.postMessage(message)
  }

  private answer(name: string, message: ToThread) {
    return new Promise<Answer>((resolve) => {
      this.requests.set(name, resolve)
      this.ask(message)
    })
  }

  private hear(message: FromThread) {
    switch (message.is) {
      case "about":
        return this.change({ about: message.about, loadedAt: new Date() })
      case "lines":
        for (const line of message.lines) this.lines[line.key] = line
        return
      case "progress":
        return this.change({ progress: message.progress, loadedAt: new Date() })
      case "glance":
        return this.change({ glance: message.glance })
      case "failed":
        return this.change({ failure: message.failure })
      case "item":
        return this.requests.get(`item ${message.item.key}`)?.(message.item)
      case "source":
        return this.requests.get(`source ${message.key}`)?.(message.source)
      case "bundle":
        return this.requests.get("bundle")?.(message.bundle)
    }
  }

  private change(part: Partial<RecordState>) {
    this.state = { ...this.state, ...part }
    for (const changed of this.listeners) changed()
  }
}
