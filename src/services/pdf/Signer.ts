import * as asn1js from "asn1js"
import { createHash, type KeyObject } from "node:crypto"
import * as pkijs from "pkijs"

/** The key is RSA or P-256; the certificates are DER, leaf first. */
export interface SealingIdentity {
  readonly key: KeyObject
  readonly certificates: ReadonlyArray<Uint8Array>
}

/**
 * Makes, of a content's SHA-256, CMS SignedData without the content (RFC 5652) and with the attributes of CAdES; a key's
 * signatures have one length.
 */
export const signerOf = ({ certificates, key }: SealingIdentity): (digest: Buffer) => Promise<Buffer> => {
  const elliptic = key.asymmetricKeyType === "ec"
  const algorithm = elliptic
    ? { name: "ECDSA", namedCurve: "P-256" }
    : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
  const cryptoKey = key.toCryptoKey(algorithm, false, ["sign"])
  const fits = ({ byteLength }: ArrayBuffer) => !elliptic || byteLength === ellipticLength
  const chain = certificates.map((der) => pkijs.Certificate.fromBER(der))
  const leaf = chain[0]!
  const leafHash = createHash("sha256").update(certificates[0]!).digest()
  return async (digest) => {
    const signerInfo = new pkijs.SignerInfo({
      version: 1,
      sid: new pkijs.IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
      signedAttrs: new pkijs.SignedAndUnsignedAttributes({
        type: 0,
        attributes: [
          attribute(contentType, new asn1js.ObjectIdentifier({ value: pkijs.ContentInfo.DATA })),
          attribute(messageDigest, new asn1js.OctetString({ valueHex: digest })),
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
