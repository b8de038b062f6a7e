import { deflateSync } from "node:zlib"
import type { PdfFile } from "./PdfFile.ts"

/** Number of objects in one object stream. More would deflate better, but a reader must inflate all to read one. */
const perStream = 200

export const ref = (number: number): string => `${number} 0 R`

const ascii = (text: string) => Buffer.from(text, "latin1")

/**
 * Indirect objects (ISO 32000-1, 7.3.10) that several files share. Each is made once and written to all of these files.
 * An object is its text in PDF syntax, and is kept until the next `settle`.
 */
export class Objects {
  /** The last object number used in any of the files. */
  private readonly numbers: { last: number }
  private readonly files: ReadonlyArray<PdfFile>
  private pending: Array<readonly [number: number, object: string]> = []

  constructor(numbers: { last: number }, files: ReadonlyArray<PdfFile>) {
    this.numbers = numbers
    this.files = files
  }

  next(): number {
    this.numbers.last += 1
    return this.numbers.last
  }

  /** Keeps an object for an object stream. */
  add(object: string, number: number = this.next()): number {
    this.pending.push([number, object])
    return number
  }

  /** Writes an object that is not a stream, outside of object streams. */
  async write(object: string, number: number): Promise<void> {
    await this.put(number, ascii(`${number} 0 obj\n${object}\nendobj\n`))
  }

  /** Writes a stream. The dictionary lacks only the length. */
  async stream(bytes: Uint8Array, dictionary = "<<>>", number: number = this.next()): Promise<number> {
    const begin = `${number} 0 obj\n${dictionary.slice(0, -2)}/Length ${bytes.length}>>\nstream\n`
    await this.put(number, ascii(begin), bytes, endStream)
    return number
  }

  /** Deflates and writes a stream (ISO 32000-1, 7.4.4). */
  deflated(content: string | Uint8Array, dictionary = "<<>>", number: number = this.next()): Promise<number> {
    return this.stream(deflateSync(content), `${dictionary.slice(0, -2)}/Filter/FlateDecode>>`, number)
  }

  /** Writes a stream of unknown length as it arrives, then its length. Nothing else may be written meanwhile. */
  async streamed(bytes: AsyncIterable<Uint8Array>, dictionary: string): Promise<number> {
    const [number, lengthNumber] = [this.next(), this.next()]
    await this.put(number, ascii(`${number} 0 obj\n${dictionary.slice(0, -2)}/Length ${ref(lengthNumber)}>>\nstream\n`))
    let length = 0
    for await (const piece of bytes) {
      length += piece.length
      await this.bytes(piece)
    }
    await this.bytes(endStream)
    await this.write(String(length), lengthNumber)
    return number
  }

  /** Writes the pending objects in object streams (ISO 32000-1, 7.5.7): full streams only, unless `all`. */
  async settle(all = false): Promise<void> {
    while (this.pending.length >= (all ? 1 : perStream)) {
      const objects = this.pending.splice(0, perStream)
      const number = this.next()
      const offsets: Array<number> = []
      let at = 0
      for (const [number, object] of objects) {
        offsets.push(number, at)
        at += object.length + 1
      }
      const index = `${offsets.join(" ")}\n`
      const content = deflateSync(ascii(index + objects.map(([, object]) => `${object}\n`).join("")))
      const dictionary = `<</Type/ObjStm/N ${objects.length}/First ${index.length}/Filter/FlateDecode>>`
      await this.stream(content, dictionary, number)
      for (const file of this.files) {
        objects.forEach(([inside], index) => file.place(inside, { stream: number, index }))
      }
    }
  }

  private async put(number: number, ...bytes: ReadonlyArray<Uint8Array>): Promise<void> {
    for (const file of this.files) file.place(number)
    await this.bytes(...bytes)
  }

  private async bytes(...bytes: ReadonlyArray<Uint8Array>): Promise<void> {
    await Promise.all(this.files.map((file) => file.write(...bytes)))
  }
}

const endStream = ascii("\nendstream\nendobj\n")
