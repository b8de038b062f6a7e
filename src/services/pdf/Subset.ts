import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** TypeScript declares WebAssembly for browsers only. */
declare const WebAssembly: {
  readonly Module: new(code: Uint8Array) => object
  readonly Instance: new(compiled: object) => { readonly exports: unknown }
}

/** The functions of HarfBuzz's subsetter (hb-subset.h) that this file calls. Pointers and sizes are numbers. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly _initialize: () => void
  readonly malloc: (size: number) => number
  readonly hb_blob_destroy: (blob: number) => void
  readonly hb_face_destroy: (face: number) => void
  readonly hb_subset_input_destroy: (input: number) => void
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

const program = "harfbuzzjs/dist/harfbuzz-subset.wasm"

const writable = 2

const droppedTables = 3

/** Glyphs keep their numbers. Hints are dropped: they matter only on screens of few pixels. */
const flags = { noHinting: 1, retainGids: 2 }

/** The tables of a TrueType font that a PDF needs (ISO 32000-1, 9.9). */
const tables = ["glyf", "head", "hhea", "hmtx", "loca", "maxp"]

const tag = (name: string) => Buffer.from(name).readUInt32BE()

let started: Subsetter | undefined

const subsetter = (): Subsetter => {
  if (started === undefined) {
    const code = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(program))))
    started = new WebAssembly.Instance(code).exports as Subsetter
    started._initialize()
  }
  return started
}

/** HarfBuzz's faces by font file, kept for the life of the process: 46 MB if all fonts are used. */
const faces = new Map<string, number>()

const faceOf = (file: string, subsetter: Subsetter): number => {
  const cached = faces.get(file)
  if (cached !== undefined) return cached
  const font = readFileSync(file)
  const data = subsetter.malloc(font.length)
  new Uint8Array(subsetter.memory.buffer).set(font, data)
  const face = subsetter.hb_face_create(subsetter.hb_blob_create(data, font.length, writable, 0, 0), 0)
  faces.set(file, face)
  return face
}

/** Makes a TrueType font of the given glyphs and their components. Glyphs keep their numbers. */
export const subsetOf = (file: string, glyphs: Iterable<number>): Uint8Array => {
  const hb = subsetter()
  const face = faceOf(file, hb)
  const input = hb.hb_subset_input_create_or_fail()
  const dropped = hb.hb_subset_input_set(input, droppedTables)
  hb.hb_set_invert(dropped)
  for (const name of tables) hb.hb_set_del(dropped, tag(name))
  hb.hb_subset_input_set_flags(input, flags.noHinting | flags.retainGids)
  const kept = hb.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) hb.hb_set_add(kept, glyph)
  const subset = hb.hb_subset_or_fail(face, input)
  const blob = hb.hb_face_reference_blob(subset)
  const length = hb.hb_blob_get_length(blob)
  const start = hb.hb_blob_get_data(blob, 0)
  const bytes = new Uint8Array(hb.memory.buffer).slice(start, start + length)
  hb.hb_blob_destroy(blob)
  hb.hb_face_destroy(subset)
  hb.hb_subset_input_destroy(input)
  if (length === 0) throw new Error("HarfBuzz made no subset of a font")
  return bytes
}
