import { assert, describe, it } from "@effect/vitest"
import * as asn1js from "asn1js"
import { createHash, randomBytes } from "node:crypto"
import * as pkijs from "pkijs"
import { beforeAll } from "vitest"
import { onPaper, type Picture } from "../../../src/services/pdf/Picture.ts"
import type { SealingIdentity } from "../../../src/services/pdf/Signer.ts"
import { contentOf, type CopyContent, makeIdentity, rendered } from "./Pdf.ts"
import { ask, lacks, needs } from "./PdfTools.ts"
import { isSealed } from "./StandIns.ts"

const seal = (identity: SealingIdentity, content: CopyContent = contentOf()) => rendered(content, { identity })

/** Finds the signature in a sealed file: the place of its hex digits, and their bytes. */
const signatureOf = (pdf: Buffer) => {
  const start = pdf.indexOf("/Contents <") + "/Contents <".length
  const end = pdf.indexOf(">", start)
  const cms = Buffer.from(pdf.toString("latin1", start, end), "hex")
  const { offset, result } = asn1js.fromBER(cms)
  const signedData = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: result }).content })
  return { start, end, cms, length: offset, signedData, signer: signedData.signerInfos[0]! }
}

/** Makes a picture of random bytes around a text. Deflate cannot shorten them, so the file has the text as is. */
const noiseThatSpells = (text: string): Picture => {
  const [width, height] = [200, 100]
  const colours = randomBytes(width * height * 3)
  colours.write(text, Math.floor(colours.length / 2), "latin1")
  const data = Buffer.alloc(width * height * 4, 255)
  for (let pixel = 0; pixel < width * height; pixel++) colours.copy(data, pixel * 4, pixel * 3, pixel * 3 + 3)
  return onPaper({ width, height, data })
}

const signedBytes = (pdf: Buffer) => {
  const { end, start } = signatureOf(pdf)
  return Buffer.concat([pdf.subarray(0, start - 1), pdf.subarray(end + 1)])
}

const intact = (report: string) => report.includes("Signature is Valid") && report.includes("Total document signed")

for (const kind of ["rsa", "ec"] as const) {
  describe(`A document sealed with ${kind}`, () => {
    let identity: SealingIdentity
    let pdf: Buffer
    beforeAll(async () => {
      identity = await makeIdentity(kind)
      pdf = await seal(identity)
    })

    it("is sound for qpdf", async () => {
      assert.include(await ask(pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
    })

    it.skipIf(lacks("pdfsig"))(`is intact for pdfsig${needs("pdfsig")}`, async () => {
      const report = await ask(pdf, "pdfsig", "-nocert")
      assert.isTrue(intact(report), report)
      assert.include(report, "ETSI.CAdES.detached")
      assert.include(report, "Signing Hash Algorithm: SHA-256")
    })

    it("has the attributes of CAdES, and no time except that of the signature's dictionary", async () => {
      const { signedData, signer } = signatureOf(pdf)
      const attributes = new Map(signer.signedAttrs!.attributes.map(({ type, values }) => [type, values[0]]))
      assert.deepStrictEqual([...attributes.keys()], [
        "1.2.840.113549.1.9.3",
        "1.2.840.113549.1.9.4",
        "1.2.840.113549.1.9.16.2.47"
      ])
      const digest = attributes.get("1.2.840.113549.1.9.4") as asn1js.OctetString
      assert.deepStrictEqual(
        Buffer.from(digest.valueBlock.valueHexView),
        createHash("sha256").update(signedBytes(pdf)).digest()
      )
      const signingCertificate = attributes.get("1.2.840.113549.1.9.16.2.47") as asn1js.Sequence
      assert.include(
        Buffer.from(signingCertificate.toBER()).toString("hex"),
        createHash("sha256").update(identity.certificates[0]!).digest("hex")
      )
      assert.include(pdf.toString("latin1"), "/M (D:20261121170523Z)")
      const data = new Uint8Array(signedBytes(pdf)).buffer
      assert.isTrue(await signedData.verify({ signer: 0, data, checkChain: false }))
    })

    it("fills the space reserved for the signature exactly, for any document", async () => {
      for (const fullName of ["Sean O'Hara", "Ελένη", "A name\u0301 "]) {
        const sealed = signatureOf(
          await seal(identity, contentOf({ veteran: { fullName, dateOfBirth: "1970-01-01" } }))
        )
        assert.strictEqual(sealed.length, sealed.cms.length)
        assert.strictEqual(sealed.cms.length, signatureOf(pdf).cms.length)
      }
    })

    it("is intact with a name that looks like PDF syntax", async () => {
      const typedName = "/ByteRange [0 /********** /********** /**********] /Contents <00>"
      const signature = { ...contentOf().authorization.signature, typedName }
      assert.isTrue(intact(await ask(await seal(identity, contentOf({ signature })), "pdfsig", "-nocert")))
    })

    it("has its seal in the right place even if a drawing contains the bytes that mark that place", async () => {
      const spellings = [
        "/ByteRange [0 /********** /********** /**********]",
        "/ByteRange [ 0 /********** /********** /********** ]",
        "/ByteRange [0 /********** /********** /**********] /Contents <00>",
        "/ByteRange ["
      ]
      for (const spelled of spellings) {
        const sealed = await seal(identity, contentOf({}, { for: "recipient" }, noiseThatSpells(spelled)))
        assert.isTrue(sealed.includes(spelled), spelled)
        assert.isTrue(await isSealed(sealed), spelled)
      }
    })

    it("carries the whole chain of certificates", async () => {
      const chain = [...identity.certificates, ...(await makeIdentity("ec")).certificates]
      const sealed = await seal({ ...identity, certificates: chain })
      const { cms } = signatureOf(sealed)
      for (const certificate of chain) assert.isTrue(cms.includes(certificate))
      assert.isTrue(intact(await ask(sealed, "pdfsig", "-nocert")))
    })

    it("certifies that no change is permitted", () => {
      const text = pdf.toString("latin1")
      assert.match(text, /\/Reference \[<<\/Type \/SigRef \/TransformMethod \/DocMDP \/TransformParams <<[^>]*\/P 1 /)
    })

    it("is not intact after a byte was changed", async () => {
      const { end, start } = signatureOf(pdf)
      const places = [
        ...Array.from({ length: 10 }, (_, index) => Math.floor(index * pdf.length / 10))
          .filter((place) => place < start || place >= end),
        ...["/ByteRange [0 ", "/Contents ", "/SubFilter", "/M (D:", "/P 1", "startxref", "%%EOF"]
          .map((part) => pdf.lastIndexOf(part) + part.length - 1)
      ]
      assert.deepStrictEqual(await unnoticed(places.map((place) => [place, pdf[place]! ^ 1])), [])
    })

    // pkijs ignores other places than pdfsig does.
    const title = "is not intact after its signature was changed, except where nothing is signed"
    it.skipIf(lacks("pdfsig"))(`${title}${needs("pdfsig")}`, async () => {
      const { cms, end, start } = signatureOf(pdf)
      const certificate = identity.certificates[0]!
      const certificateAt = cms.indexOf(certificate)
      // pdfsig ignores two version numbers and a content type. It does not compare the certificate with its hash.
      const unread = (part: string, from = 0): readonly [number, number] => {
        const at = cms.indexOf(part, from, "hex")
        return [at, at + part.length / 2]
      }
      const unsigned = [
        [certificateAt, certificateAt + certificate.length],
        unread("020101"),
        unread("020101", certificateAt + certificate.length),
        unread("06092a864886f70d010701")
      ] as const
      const places = Array.from({ length: 40 }, (_, n) => start + Math.floor(n * (end - start) / 40))
      const found = await unnoticed(places.map((place) => {
        const digit = Number.parseInt(String.fromCharCode(pdf[place]!), 16)
        return [place, ((digit + 1) % 16).toString(16).charCodeAt(0)]
      }))
      const beside = found.filter((place) => {
        const byte = (place - start) >> 1
        return !unsigned.some(([from, to]) => from <= byte && byte < to)
      })
      assert.deepStrictEqual(beside, [])
    })

    /** Returns the places at which pdfsig does not notice a changed byte. */
    const unnoticed = async (changes: ReadonlyArray<readonly [place: number, byte: number]>) => {
      const reports = await Promise.all(changes.map(([place, byte]) => {
        const changed = Buffer.from(pdf)
        changed[place] = byte
        return ask(changed, "pdfsig", "-nocert")
      }))
      return changes.flatMap(([place], index) => intact(reports[index]!) ? [place] : [])
    }
  })
}
