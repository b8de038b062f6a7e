import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** TypeScript has its types among those of browsers only. */
declare const WebAssembly: {
  readonly Module: new(code: Uint8Array) => object
  readonly Instance: new(compiled: object) => { readonly exports: unknown }
}

/** These parts of HarfBuzz's subsetter (hb-subset.h) are used; pointers and sizes are numbers. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly _initialize: () => void
  readonly malloc: (size: number) => number
  readonly hb_blob_create: (data: number, length: number, mode: number, user: number, destroy: number) => number
  readonly hb_blob_get_data: (blob: number, length: number) => number
  readonly hb_blob_get_length: (blob: number) => number
  readonly hb_face_create: (blob: number, index: number) => number
  readonly hb_face_reference_blob: (face: number) => number
  readonly hb_set_add: (set: number, value: number) => void
  readonly hb_set_del: (set: number, value: number) => void
  readonly hb_set_invert: (set: number) => void
  readonly hb_subset_input_create_or_fail: () => number
  readonly hb_subset_input_glyph_set: (input: number) => number
  readonly hb_subset_input_set: (input: number, kind: number) => number
  readonly hb_subset_input_set_flags: (input: number, flags: number) => void
  readonly hb_subset_or_fail: (face: number, input: number) => number
}

const writable = 2

const droppedTables = 3

/** Glyphs keep their numbers; hints go, for paper and screens of today have the pixels. */
const flags = { noHinting: 1, retainGids: 2 }

/** A PDF reads these tables of a TrueType font (ISO 32000-1, 9.9). */
const tables = ["glyf", "head", "hhea", "hmtx", "loca", "maxp"]

const tag = (name: string) => Buffer.from(name).readUInt32BE()

let compiled: object | undefined

/**
 * Makes a TrueType font that has these glyphs of a font, and those they are composed of, by the numbers they had. Each
 * call has memory of its own, which goes with it.
 */
export const subsetOf = (font: Uint8Array, glyphs: Iterable<number>): Uint8Array => {
  const file = fileURLToPath(import.meta.resolve("harfbuzzjs/dist/harfbuzz-subset.wasm"))
  compiled ??= new WebAssembly.Module(readFileSync(file))
  const subsetter = new WebAssembly.Instance(compiled).exports as Subsetter
  subsetter._initialize()
  const data = subsetter.malloc(font.length)
  new Uint8Array(subsetter.memory.buffer).set(font, data)
  const face = subsetter.hb_face_create(subsetter.hb_blob_create(data, font.length, writable, 0, 0), 0)
  const input = subsetter.hb_subset_input_create_or_fail()
  const dropped = subsetter.hb_subset_input_set(input, droppedTables)
  subsetter.hb_set_invert(dropped)
  for (const name of tables) subsetter.hb_set_del(dropped, tag(name))
  subsetter.hb_subset_input_set_flags(input, flags.noHinting | flags.retainGids)
  const kept = subsetter.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) subsetter.hb_set_add(kept, glyph)
  const subset = subsetter.hb_face_reference_blob(subsetter.hb_subset_or_fail(face, input))
  const length = subsetter.hb_blob_get_length(subset)
  if (length === 0) throw new Error("HarfBuzz made no subset of a font")
  const start = subsetter.hb_blob_get_data(subset, 0)
  return new Uint8Array(subsetter.memory.buffer).slice(start, start + length)
}
