import { pdflibAddPlaceholder } from "@signpdf/placeholder-pdf-lib"
import { SUBFILTER_ETSI_CADES_DETACHED } from "@signpdf/utils"
import * as asn1js from "asn1js"
import { createHash, type KeyObject, randomBytes } from "node:crypto"
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFRef,
  PDFString
} from "pdf-lib"
import * as pkijs from "pkijs"

/** The key is RSA or P-256; the certificates are DER, leaf first. */
export interface SealingIdentity {
  readonly key: KeyObject
  readonly certificates: ReadonlyArray<Uint8Array>
}

/**
 * Saves a tagged document with a PAdES signature of baseline level B-B (ETSI EN 319 142-1) over every byte, which also
 * certifies that nothing may be changed. The signature fills its place to the last digit: padding could be changed
 * unseen.
 */
export const sealPdf = async (document: PDFDocument, identity: SealingIdentity, signedAt: Date): Promise<Buffer> => {
  const sign = signerOf(identity)
  const { length } = await sign(Buffer.alloc(0))
  // Nobody can guess it, so that what a user wrote or drew is never found in its stead.
  const byteRangePlaceholder = randomBytes(16).toString("hex")
  // No user's text goes in here: the placeholder would not escape it.
  pdflibAddPlaceholder({
    pdfDoc: document,
    name: "Veteran records sharing service",
    reason: "Seal of the service",
    location: "",
    contactInfo: "",
    signingTime: signedAt,
    signatureLength: 2 * length,
    byteRangePlaceholder,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED
  })
  certify(document)
  const bytes = await document.save({ updateFieldAppearances: false, objectsPerTick: Infinity })
  return fillIn(Buffer.from(bytes), `/ByteRange [ 0${` /${byteRangePlaceholder}`.repeat(3)} ]`, sign)
}

/** Writes the byte range in the place of its placeholder, and the signature over that range into the `Contents` behind it. */
const fillIn = async (pdf: Buffer, placeholder: string, sign: Sign): Promise<Buffer> => {
  const at = pdf.indexOf(placeholder)
  const start = pdf.indexOf("<", at)
  const end = pdf.indexOf(">", start) + 1
  const byteRange = `/ByteRange [0 ${start} ${end} ${pdf.length - end}]`
  pdf.write(byteRange.padEnd(placeholder.length), at)
  const signature = await sign(Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]))
  if (2 * signature.length !== end - start - 2) throw new Error("the signature does not fill its place")
  pdf.write(signature.toString("hex"), start + 1)
  return pdf
}

type Sign = (content: Buffer) => Promise<Buffer>

/**
 * Makes the placeholder's signature one that certifies (DocMDP, ISO 32000-1, 12.8.2.2), and tells a screen reader of
 * its field, which shows nothing.
 */
const certify = ({ catalog, context }: PDFDocument): void => {
  const fields = catalog.lookup(PDFName.of("AcroForm"), PDFDict).lookup(PDFName.of("Fields"), PDFArray)
  const widgetRef = fields.get(0) as PDFRef
  const widget = fields.lookup(0, PDFDict)
  const signature = widget.get(PDFName.of("V")) as PDFRef

  // The placeholder is bytes already, so that it stands in the file as it is.
  const placeholder = context.lookup(signature)!
  const bytes = Buffer.alloc(placeholder.sizeInBytes())
  placeholder.copyBytesInto(bytes, 0)
  const transform = "/Reference [<</Type /SigRef /TransformMethod /DocMDP " +
    "/TransformParams <</Type /TransformParams /P 1 /V /1.2>>>>]\n"
  const end = bytes.lastIndexOf(">>")
  context.assign(
    signature,
    PDFInvalidObject.of(Buffer.concat([bytes.subarray(0, end), Buffer.from(transform), bytes.subarray(end)]))
  )
  catalog.set(PDFName.of("Perms"), context.obj({ DocMDP: signature }))
  catalog.set(PDFName.of("Extensions"), context.obj({ ESIC: { BaseVersion: "1.7", ExtensionLevel: 1 } }))

  const tags = catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict)
  const parents = tags.lookup(PDFName.of("ParentTree"), PDFDict).lookup(PDFName.of("Nums"), PDFArray)
  const root = tags.get(PDFName.of("K")) as PDFRef
  const key = tags.lookup(PDFName.of("ParentTreeNextKey"), PDFNumber)
  const page = widget.get(PDFName.of("P"))!
  const tag = context.register(
    context.obj({ Type: "StructElem", S: "Form", P: root, Pg: page, K: { Type: "OBJR", Obj: widgetRef, Pg: page } })
  )
  context.lookup(root, PDFDict).lookup(PDFName.of("K"), PDFArray).push(tag)
  parents.push(key)
  parents.push(tag)
  tags.set(PDFName.of("ParentTreeNextKey"), context.obj(key.asNumber() + 1))
  widget.set(PDFName.of("StructParent"), key)
  widget.set(PDFName.of("TU"), PDFString.of("Seal of the service"))
}

/**
 * Makes CMS SignedData without the content (RFC 5652) and with the attributes of CAdES; a key's signatures have one
 * length.
 */
const signerOf = ({ certificates, key }: SealingIdentity): Sign => {
  const elliptic = key.asymmetricKeyType === "ec"
  const algorithm = elliptic
    ? { name: "ECDSA", namedCurve: "P-256" }
    : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
  const cryptoKey = key.toCryptoKey(algorithm, false, ["sign"])
  const fits = ({ byteLength }: ArrayBuffer) => !elliptic || byteLength === ellipticLength
  const chain = certificates.map((der) => pkijs.Certificate.fromBER(der))
  const leaf = chain[0]!
  const leafHash = sha256(certificates[0]!)
  return async (content) => {
    const signerInfo = new pkijs.SignerInfo({
      version: 1,
      sid: new pkijs.IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
      signedAttrs: new pkijs.SignedAndUnsignedAttributes({
        type: 0,
        attributes: [
          attribute(contentType, new asn1js.ObjectIdentifier({ value: pkijs.ContentInfo.DATA })),
          attribute(messageDigest, new asn1js.OctetString({ valueHex: sha256(content) })),
          attribute(signingCertificateV2, sequence(sequence(sequence(new asn1js.OctetString({ valueHex: leafHash })))))
        ]
      })
    })
    const signedData = new pkijs.SignedData({
      version: 1,
      digestAlgorithms: [digestAlgorithm],
      encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: pkijs.ContentInfo.DATA }),
      signerInfos: [signerInfo],
      certificates: chain
    })
    do {
      await signedData.sign(cryptoKey, 0, "SHA-256")
    } while (!fits(signerInfo.signature.getValue()))
    signerInfo.digestAlgorithm = digestAlgorithm
    return Buffer.from(
      new pkijs.ContentInfo({ contentType: pkijs.ContentInfo.SIGNED_DATA, content: signedData.toSchema(true) })
        .toSchema()
        .toBER()
    )
  }
}

/** SHA-256 stands without parameters (RFC 5754, 2): pkijs's NULL is not signed, and could be changed unseen. */
const digestAlgorithm = new pkijs.AlgorithmIdentifier({ algorithmId: pkijs.id_sha256 })

/**
 * The DER of two P-256 numbers has 72 bytes at most, less one for each that begins with a zero bit: every second has
 * 71.
 */
const ellipticLength = 71

/** These attributes are signed (RFC 5652, 11.1 and 11.2; RFC 5035, 3). */
const contentType = "1.2.840.113549.1.9.3"

const messageDigest = "1.2.840.113549.1.9.4"

const signingCertificateV2 = "1.2.840.113549.1.9.16.2.47"

const attribute = (type: string, value: asn1js.AsnType) => new pkijs.Attribute({ type, values: [value] })

const sequence = (value: asn1js.AsnType) => new asn1js.Sequence({ value: [value] })

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()
