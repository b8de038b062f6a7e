import type { Language } from "../../../src/domain/Language.ts"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { frameReady, type ToFrame } from "../view/Messages.ts"

/** More files than a release can have (contract, part 6), and the longest name that is shown. */
const maxFiles = 250
const maxName = 300

/** Milliseconds in which the frame must answer. It was loaded before, or is on its way while the mail is read. */
const patience = 15_000

/**
 * The page's end of the channel to the sandboxed frame. What the frame sends is not trusted, because what it shows
 * comes from outside.
 */
export class ReleaseFrame {
  private readonly frame: HTMLIFrameElement
  private readonly onFiles: (files: ReadonlyArray<PdfAttachment>) => void
  private readonly onMet: (isMet: boolean) => void
  private readonly late: ReturnType<typeof setTimeout>
  private readonly awaited = new Map<number, (bytes: unknown) => void>()
  private readonly early: Array<ToFrame> = []
  private port: MessagePort | undefined

  /** `onMet` is told once the frame answers, and before that if it takes too long. */
  constructor(
    frame: HTMLIFrameElement,
    onFiles: (files: ReadonlyArray<PdfAttachment>) => void,
    onMet: (isMet: boolean) => void
  ) {
    this.frame = frame
    this.onFiles = onFiles
    this.onMet = onMet
    this.late = setTimeout(() => onMet(false), patience)
    addEventListener("message", this.meet)
  }

  show(release: Uint8Array<ArrayBuffer>) {
    this.ask({ ask: "show", release })
  }

  speak(language: Language) {
    this.ask({ ask: "speak", language })
  }

  close() {
    clearTimeout(this.late)
    removeEventListener("message", this.meet)
    this.port?.close()
  }

  /** A sandboxed frame has the opaque origin. It is met once: another document in the frame gets nothing. */
  private readonly meet = ({ data, origin, source }: MessageEvent) => {
    if (source === null || source !== this.frame.contentWindow || origin !== "null" || data !== frameReady) return
    removeEventListener("message", this.meet)
    clearTimeout(this.late)
    this.onMet(true)
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    port1.addEventListener("message", ({ data }) => this.hear(data))
    port1.start()
    // An opaque origin has no name for postMessage. The policy lets only pages of ours into the frame.
    this.frame.contentWindow!.postMessage("the channel", "*", [port2])
    for (const message of this.early.splice(0)) port1.postMessage(message)
  }

  private ask(message: ToFrame) {
    if (this.port === undefined) this.early.push(message)
    else this.port.postMessage(message)
  }

  private hear(message: Readonly<Record<string, unknown>> | null) {
    switch (message?.["is"]) {
      case "files":
        return this.onFiles(this.filesOf(message["names"]))
      case "file":
        return this.awaited.get(message["index"] as number)?.(message["bytes"])
      case "save":
        return save(message["bytes"], message["name"])
    }
  }

  private filesOf(names: unknown): ReadonlyArray<PdfAttachment> {
    if (!Array.isArray(names)) return []
    return names.slice(0, maxFiles).map((name, index) => ({
      name: `${name}`.slice(0, maxName),
      read: async () => {
        const answer = new Promise<unknown>((resolve) => this.awaited.set(index, resolve))
        this.ask({ ask: "file", index })
        return bytesOf(await answer)
      }
    }))
  }
}

const bytesOf = (sent: unknown): Uint8Array<ArrayBuffer> => {
  if (!(sent instanceof Uint8Array)) throw new TypeError("These are no bytes.")
  return sent as Uint8Array<ArrayBuffer>
}

/** A press in the frame counts as one on this page too. Without a press, nothing is saved. */
const save = (bytes: unknown, name: unknown) => {
  if (navigator.userActivation.isActive && typeof name === "string") saveFile(bytesOf(bytes), name.slice(0, maxName))
}
