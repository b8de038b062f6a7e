import { encodeQR } from "qr"

/** Returns a URL as a QR code in SVG. Its white quiet zone lets cameras read it on a dark page too. */
export const qrCode = (url: string) =>
  encodeQR(url, "svg", { ecc: "medium", border: 4 }).replace(
    ">",
    "><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
  )
