import type { FromUpdate, KindProgress } from "./Messages.ts"

/** Milliseconds between two messages about progress: at most 4 a second (contract, 14.8). */
const pauseMs = 250

/** Collects the progress of the kinds and tells what changed, a few times a second. */
export class ProgressBoard {
  private readonly kinds = new Map<string, KindProgress>()
  private readonly changed = new Set<string>()
  private readonly waits = new Map<string, number>()
  private readonly tell: (message: FromUpdate) => void
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (message: FromUpdate) => void) {
    this.tell = tell
  }

  add(kind: KindProgress) {
    this.kinds.set(kind.resourceType, kind)
    this.note(kind.resourceType)
  }

  change(resourceType: string, part: Partial<KindProgress>) {
    this.add({ ...this.kinds.get(resourceType)!, ...part })
  }

  causeOf(resourceType: string) {
    return this.kinds.get(resourceType)?.cause ?? null
  }

  /** Notes that a kind waits for the VA until this time of the device's clock, or no longer waits. */
  wait(resourceType: string, until: number | null) {
    if (until === null ? !this.waits.delete(resourceType) : this.waits.get(resourceType) === until) return
    if (until !== null) this.waits.set(resourceType, until)
    this.tell({ is: "waiting", until: this.waits.size === 0 ? null : Math.max(...this.waits.values()) })
  }

  /** Tells what is not told yet. */
  flush() {
    clearTimeout(this.timer)
    this.timer = undefined
    const kinds = [...this.changed].map((type) => this.kinds.get(type)!)
    this.changed.clear()
    if (kinds.length > 0) this.tell({ is: "kinds", kinds })
  }

  /** Tells nothing more. */
  stop() {
    clearTimeout(this.timer)
    this.changed.clear()
  }

  private note(resourceType: string) {
    this.changed.add(resourceType)
    this.timer ??= setTimeout(() => this.flush(), pauseMs)
  }
}
