import { type Objects, ref } from "./Objects.ts"
import type { PdfFile } from "./PdfFile.ts"
import { type SealingIdentity, signerOf } from "./Signer.ts"
import { dateString } from "./Text.ts"

const name = "Seal of the service"

/**
 * The objects of an invisible signature and of the certification that forbids changes (DocMDP, ISO 32000-1, 12.8.2.2).
 * A screen reader reads the signature's name. `endSealed` writes the signature itself at the end of the file.
 */
export class Seal {
  readonly signature: number
  readonly widget: number
  /** The widget's element in the structure tree. */
  readonly tag: number

  constructor(objects: Objects) {
    this.signature = objects.next()
    this.widget = objects.next()
    this.tag = objects.next()
  }

  /** Writes the signature field. `parentKey` is its key in the parent tree, `document` the parent of its element. */
  async write(
    place: { readonly page: number; readonly parentKey: number; readonly document: number },
    objects: Objects
  ) {
    const page = ref(place.page)
    const appearance = await objects.stream(
      new Uint8Array(),
      "<</Type/XObject/Subtype/Form/BBox[0 0 0 0]/Resources<<>>>>"
    )
    objects.add(
      `<</Type/Annot/Subtype/Widget/FT/Sig/Rect[0 0 0 0]/F 4/T (Signature1)/TU (${name})/V ${ref(this.signature)}` +
        `/P ${page}/StructParent ${place.parentKey}/AP<</N ${ref(appearance)}>>>>`,
      this.widget
    )
    objects.add(
      `<</Type/StructElem/S/Form/P ${ref(place.document)}/Pg ${page}` +
        `/K<</Type/OBJR/Obj ${ref(this.widget)}/Pg ${page}>>>>`,
      this.tag
    )
  }

  get inCatalog(): string {
    return `/AcroForm<</SigFlags 3/Fields[${ref(this.widget)}]>>/Perms<</DocMDP ${ref(this.signature)}>>` +
      "/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 1>>>>"
  }
}

/** Length of `[0 …]` with three numbers of up to ten digits. */
const maxByteRangeLength = 36

/**
 * Ends a file with a PAdES signature of baseline level B-B (ETSI EN 319 142-1) over every byte. The signature fills its
 * place exactly, because unsigned padding could be changed unnoticed.
 */
export const endSealed = async (
  file: PdfFile,
  { signature }: Seal,
  { identity, signedAt }: { readonly identity: SealingIdentity; readonly signedAt: Date },
  crossReferences: { readonly number: number; readonly trailer: string }
): Promise<void> => {
  const { length, sign } = await signerOf(identity)
  const digits = 2 * length
  const dictionary = (byteRange: string) =>
    Buffer.from(
      `${signature} 0 obj\n<<\n/Type /Sig\n/Filter /Adobe.PPKLite\n/Name (Veteran records sharing service)\n` +
        `/Reason (${name})\n/M ${dateString(signedAt)}\n` +
        "/Reference [<</Type /SigRef /TransformMethod /DocMDP " +
        "/TransformParams <</Type /TransformParams /P 1 /V /1.2>>>>]\n" +
        `/SubFilter /ETSI.CAdES.detached\n/ByteRange ${byteRange.padEnd(maxByteRangeLength)}\n/Contents `
    )
  const closing = Buffer.from("\n>>\nendobj\n")
  file.place(signature)
  const start = file.at + dictionary("").length
  const end = start + digits + 2
  const ending = file.ending(crossReferences.number, crossReferences.trailer, end + closing.length)
  const after = Buffer.concat([closing, ending])
  await file.endSealed(
    dictionary(`[0 ${start} ${end} ${after.length}]`),
    (sha256) => Buffer.from(`<${sign(sha256).toString("hex")}>`),
    after
  )
}
