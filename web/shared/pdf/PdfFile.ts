import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  version
} from "pdfjs-dist/legacy/build/pdf.mjs"
import { openWorker, pdfWorker } from "../TrustedTypes.ts"
import { type PageText, textOf } from "./PageText.ts"

/** A PDF that is open in a thread of its own. Nothing in it runs, and nothing it names is fetched. */
export interface PdfFile {
  readonly pages: number
  readonly page: (number: number) => Promise<PDFPageProxy>
  /** Reads one page after the other. */
  readonly text: (number: number) => Promise<PageText>
  readonly attachments: () => Promise<ReadonlyArray<PdfAttachment>>
}

export interface PdfAttachment {
  /** As the file says: it is a stranger's word. */
  readonly name: string
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>
}

/** What the thread reads of our own origin: fonts and character maps that a file need not carry, and decoders of pictures. */
const assets = new URL(`/assets/pdfjs-${version}/`, location.href).href

/** The thread is given so many bytes of the file at a time. */
const chunk = 512 * 1024

/** A picture is at most so many pixels: a page scanned at 600 dpi has 34 million. */
const maxImagePixels = 40_000_000

/** A file that makes the thread run on is given up. */
export const patience = 60_000

/** As many as a release can have, and more; and as much as one can be (contract, part 6). */
const maxAttachments = 250
const maxAttachmentBytes = 128 * 1024 * 1024

let spare: Worker | undefined

/** Starts the thread before there is a file, while something else is awaited. */
export const warm = () => {
  spare ??= openWorker(pdfWorker)
}

const takeWorker = () => {
  const worker = spare ?? openWorker(pdfWorker)
  spare = undefined
  return worker
}

/**
 * `bytes` stay the caller's; the thread ends with `signal`, whatever it is doing. Fails where the file is none, is broken, or asks for a
 * password.
 */
export const openPdf = async (bytes: Uint8Array, signal: AbortSignal): Promise<PdfFile> => {
  const port = takeWorker()
  const task = getDocument({
    worker: PDFWorker.create({ port, verbosity: 0 }),
    range: new Parts(bytes),
    rangeChunkSize: chunk,
    disableStream: true,
    disableAutoFetch: true,
    verbosity: 0,
    enableXfa: false,
    // WebAssembly would need 'wasm-unsafe-eval'; the decoders come as JavaScript too.
    useWasm: false,
    useWorkerFetch: true,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}fonts/`,
    wasmUrl: `${assets}decoders/`,
    maxImageSize: maxImagePixels
  })
  const close = () => {
    void task.destroy().catch(() => {}).finally(() => port.terminate())
    // A thread that runs on hears no message.
    setTimeout(() => port.terminate(), 1_000)
  }
  signal.addEventListener("abort", close)
  try {
    return readingOf(await within(patience, task.promise))
  } catch (error) {
    close()
    throw error
  }
}

const readingOf = (document: PDFDocumentProxy) => {
  const page = (number: number) => within(patience, document.getPage(number))
  let last: Promise<unknown> = Promise.resolve()
  return {
    pages: document.numPages,
    page,
    text: (number: number) => {
      const text = last.then(async () => within(patience, textOf(await page(number))))
      last = text.catch(() => {})
      return text
    },
    attachments: async () => {
      const found = await document.getAttachments() ?? new Map<string, { filename: string }>()
      return [...found].slice(0, maxAttachments).map(([id, { filename }]) => ({
        name: filename,
        read: async () => {
          const content = await document.getAttachmentContent(id)
          if (content === null || content.length > maxAttachmentBytes) throw new Error("This is not to be had.")
          return new Uint8Array(content)
        }
      }))
    }
  }
}

/** Hands the thread what it asks for of a file that is in memory. */
class Parts extends PDFDataRangeTransport {
  private readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    super(bytes.length, null)
    this.bytes = bytes
  }
  override requestDataRange(begin: number, end: number) {
    this.onDataRange(begin, this.bytes.slice(begin, end))
  }
}

export const within = <A>(milliseconds: number, promise: Promise<A>): Promise<A> => {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("This takes too long.")), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
