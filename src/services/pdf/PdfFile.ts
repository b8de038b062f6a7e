import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"

/** Takes a file's bytes in order. Each call waits until the promise of the previous call has resolved. */
export type Sink = (bytes: Uint8Array) => Promise<void>

/** Sizes in bytes of a cross-reference entry: type, offset or object stream, index in it (ISO 32000-1, 7.5.8.3). */
const entry = { widths: [1, 4, 2], length: 7 }

/** The least number of bytes in each call of the sink, except at the end. */
const piece = 1 << 16

/** Four bytes above 127 mark the file as binary (ISO 32000-1, 7.5.2). */
const header = Buffer.from("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "latin1")

/** A PDF file, written from front to back. Seven bytes of each object stay in memory. Object numbers may have gaps. */
export class PdfFile {
  private readonly sink: Sink
  /** Hashes the bytes that the sink got. */
  private readonly hash = createHash("sha256")
  private entries = Buffer.alloc(entry.length << 10)
  private held: Array<Uint8Array> = []
  private heldBytes = 0
  private length = 0

  constructor(sink: Sink) {
    this.sink = sink
    this.enter(0, [0, 0, 0xFFFF])
    this.hold([header])
  }

  get at(): number {
    return this.length
  }

  /** Records where an object is: at the next byte, or at an index in an object stream. */
  place(number: number, inStream?: { readonly stream: number; readonly index: number }): void {
    this.enter(number, inStream === undefined ? [1, this.at, 0] : [2, inStream.stream, inStream.index])
  }

  async write(...bytes: ReadonlyArray<Uint8Array>): Promise<void> {
    this.hold(bytes)
    if (this.heldBytes >= piece) await this.flush()
  }

  /** Writes the cross-reference stream, as object `number`, and ends the file. */
  async end(number: number, trailer: string): Promise<void> {
    await this.write(this.ending(number, trailer, this.at))
    await this.flush()
  }

  /** Ends the file with `before`, a seal and `after`. `seal` makes the seal from the SHA-256 of all other bytes. */
  async endSealed(before: Uint8Array, seal: (sha256: Buffer) => Uint8Array, after: Uint8Array): Promise<void> {
    await this.flush()
    await this.write(before, seal(this.hash.copy().update(before).update(after).digest()), after)
    await this.flush()
  }

  /** Makes the cross-reference stream (ISO 32000-1, 7.5.8) and the end of the file, to be written at offset `at`. */
  ending(number: number, trailer: string, at: number): Buffer {
    this.enter(number, [1, at, 0])
    const sections: Array<[first: number, count: number]> = []
    for (let number = 0; number * entry.length < this.entries.length; number++) {
      if (!this.isEntered(number)) continue
      const last = sections.at(-1)
      if (last !== undefined && last[0] + last[1] === number) last[1]++
      else sections.push([number, 1])
    }
    const [first, count] = sections.at(-1)!
    const stretches = sections.map(([first, count]) =>
      this.entries.subarray(first * entry.length, (first + count) * entry.length)
    )
    const stream = deflateSync(Buffer.concat(stretches))
    return Buffer.concat([
      Buffer.from(
        `${number} 0 obj\n<</Type/XRef/Size ${first + count}/Index[${sections.flat().join(" ")}]` +
          `/W[${entry.widths.join(" ")}]/Filter/FlateDecode/Length ${stream.length}${trailer}>>\nstream\n`
      ),
      stream,
      Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`)
    ])
  }

  private hold(bytes: ReadonlyArray<Uint8Array>): void {
    for (const one of bytes) {
      this.held.push(one)
      this.heldBytes += one.length
      this.length += one.length
    }
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.held)
    this.held = []
    this.heldBytes = 0
    this.hash.update(bytes)
    await this.sink(bytes)
  }

  private enter(number: number, fields: readonly [type: number, where: number, index: number]): void {
    const start = number * entry.length
    if (start >= this.entries.length) {
      this.entries = Buffer.concat([this.entries], Math.max(2 * this.entries.length, start + entry.length))
    }
    let at = start
    entry.widths.forEach((width, field) => at = this.entries.writeUIntBE(fields[field]!, at, width))
  }

  /** Type 0 means that the file lacks the object. Object 0 is the exception: it is always listed, as a free object. */
  private isEntered(number: number): boolean {
    return number === 0 || this.entries[number * entry.length] !== 0
  }
}
