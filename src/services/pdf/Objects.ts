import { deflateSync } from "node:zlib"
import type { PdfFile } from "./PdfFile.ts"

/** An object stream holds so many: enough to deflate well, and few to read where one of them is needed. */
const perStream = 200

export const ref = (number: number): string => `${number} 0 R`

const ascii = (text: string) => Buffer.from(text, "latin1")

/**
 * Indirect objects (ISO 32000-1, 7.3.10) that the same files have: each is made once, and its bytes go to every one of
 * them. An object is text: what pdf-lib's objects print, or what is written like it. It is kept until the next `settle`.
 */
export class Objects {
  /** The last number that was given, to whichever file. */
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

  /** Keeps an object for an object stream, which puts no bound on its length. */
  add(object: string, number: number = this.next()): number {
    this.pending.push([number, object])
    return number
  }

  /** Writes an object that is no stream and stands by itself. */
  async write(object: string, number: number): Promise<void> {
    await this.put(number, ascii(`${number} 0 obj\n${object}\nendobj\n`))
  }

  /** Writes a stream. The dictionary is whole, but for the length. */
  async stream(bytes: Uint8Array, dictionary = "<<>>", number: number = this.next()): Promise<number> {
    const begin = `${number} 0 obj\n${dictionary.slice(0, -2)}/Length ${bytes.length}>>\nstream\n`
    await this.put(number, ascii(begin), bytes, endStream)
    return number
  }

  /** Writes a stream whose content the file holds deflated (ISO 32000-1, 7.4.4). */
  deflated(content: string | Uint8Array, dictionary = "<<>>", number: number = this.next()): Promise<number> {
    return this.stream(deflateSync(content), `${dictionary.slice(0, -2)}/Filter/FlateDecode>>`, number)
  }

  /** Writes a stream of unknown length as it comes. The length is an object behind it. Nothing else is written meanwhile. */
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

  /** Writes object streams (ISO 32000-1, 7.5.7) of what was added: the full ones, or in the end all. */
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
