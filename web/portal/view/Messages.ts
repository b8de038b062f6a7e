import type { Language } from "../../../src/domain/Language.ts"

/** The messages between the link's page and its sandboxed frame, over a channel that only these two have. */

export type ToFrame =
  | { readonly ask: "show"; readonly release: Uint8Array<ArrayBuffer> }
  | { readonly ask: "speak"; readonly language: Language }
  /** Asks for the file inside the PDF with this index. */
  | { readonly ask: "file"; readonly index: number }

export type FromFrame =
  /** The names of the files inside the PDF. */
  | { readonly is: "files"; readonly names: ReadonlyArray<string> }
  /** Without bytes, the file could not be read. */
  | { readonly is: "file"; readonly index: number; readonly bytes?: Uint8Array<ArrayBuffer> }
  /** The reader wants to save a file. A sandboxed frame cannot. */
  | { readonly is: "save"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** The frame's first message, to its parent. The answer brings the channel. */
export const frameReady = "the frame is ready"
