import { useLinkWords } from "./Words.ts"

/** The link as a QR code, always on white and with a white edge, because cameras read no other one surely. */
export const QrPicture = ({ svg }: { readonly svg: string }) => (
  <img className="qr" alt={useLinkWords().made.qr} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
)
