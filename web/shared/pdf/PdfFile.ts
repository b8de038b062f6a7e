import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  version
} from "pdfjs-dist/legacy/build/pdf.mjs"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import pdfWorker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { isSandboxed, takeWorker } from "../TrustedTypes.ts"
import { type Bookmark, bookmarksOf } from "./Bookmarks.ts"
import { type PageText, textOf } from "./PageText.ts"

/** A PDF that is open in a separate thread. Nothing in it runs, and nothing it links to is fetched. */
export interface PdfFile {
  readonly pages: number
  readonly page: (number: number) => Promise<PDFPageProxy>
  /** Reads one page after another, each once. */
  readonly text: (number: number) => Promise<PageText>
  readonly attachments: () => Promise<ReadonlyArray<PdfAttachment>>
  readonly bookmarks: () => Promise<ReadonlyArray<Bookmark>>
}

export interface PdfAttachment {
  /** The name of the attachment in the PDF. The name comes from outside. */
  readonly name: string
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>
}

/** Our own origin serves the fonts and character maps that a PDF may omit, and picture decoders. */
const assets = new URL(`/assets/pdfjs-${version}/`, location.href).href

const fetched = {
  useWorkerFetch: true,
  cMapUrl: `${assets}cmaps/`,
  standardFontDataUrl: `${assets}fonts/`,
  wasmUrl: `${assets}decoders/`
}

/** Bytes of the file that the thread gets at a time. */
const chunk = 512 * 1024

/** The most pixels of a picture in a PDF. A page scanned at 600 dpi has 34 million. */
const maxImagePixels = 40_000_000

/** Milliseconds after which a file is given up if its thread does not answer. */
export const threadTimeout = 60_000

/** More attachments than a release can have, and more bytes than one attachment can have (contract, part 6). */
const maxAttachments = 250
const maxAttachmentBytes = 128 * 1024 * 1024

/**
 * Opens a PDF. The caller can still use `bytes`. Aborting `signal` ends the thread, even if it is busy. Fails if the
 * file is not a PDF, is broken, or needs a password.
 */
export const openPdf = async (bytes: Uint8Array, signal: AbortSignal): Promise<PdfFile> => {
  const port = takeWorker(pdfWorker)
  const task = getDocument({
    worker: PDFWorker.create({ port, verbosity: 0 }),
    range: new Parts(bytes),
    rangeChunkSize: chunk,
    disableStream: true,
    disableAutoFetch: true,
    verbosity: 0,
    enableXfa: false,
    // WebAssembly would need 'wasm-unsafe-eval', and the decoders exist in JavaScript too.
    useWasm: false,
    // A sandboxed frame connects to nothing. A release has all its fonts in it.
    ...(isSandboxed ? {} : fetched),
    maxImageSize: maxImagePixels
  })
  let isOpen = false
  const close = () => {
    // While it opens a file, pdf.js' thread throws if it is told to end. It is terminated instead.
    if (!isOpen) port.terminate()
    void task.destroy().catch(() => {}).finally(() => port.terminate())
    // A busy thread receives no message, so it is terminated.
    setTimeout(() => port.terminate(), 1_000)
  }
  signal.addEventListener("abort", close)
  try {
    const document = await withTimeout(threadTimeout, task.promise)
    isOpen = true
    return readingOf(document)
  } catch (error) {
    close()
    throw error
  }
}

const readingOf = (document: PDFDocumentProxy) => {
  const page = (number: number) => withTimeout(threadTimeout, document.getPage(number))
  const texts = new Map<number, Promise<PageText>>()
  let last: Promise<unknown> = Promise.resolve()
  const read = (number: number) => {
    const text = last.then(async () => withTimeout(threadTimeout, textOf(await page(number))))
    last = text.catch(() => {})
    texts.set(number, text)
    return text
  }
  return {
    pages: document.numPages,
    page,
    text: (number: number) => texts.get(number) ?? read(number),
    bookmarks: () => withTimeout(threadTimeout, bookmarksOf(document)),
    attachments: async () => {
      const found = await withTimeout(threadTimeout, document.getAttachments()) ??
        new Map<string, { filename: string }>()
      return [...found].slice(0, maxAttachments).map(([id, { filename }]) => ({
        name: filename,
        read: async () => {
          const content = await withTimeout(threadTimeout, document.getAttachmentContent(id))
          if (content === null || content.length > maxAttachmentBytes) {
            throw new Error("This attachment cannot be read.")
          }
          return new Uint8Array(content)
        }
      }))
    }
  }
}

/** Answers the thread's requests for parts of a file in memory. */
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

export const withTimeout = <A>(milliseconds: number, promise: Promise<A>): Promise<A> => {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("This takes too long.")), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
