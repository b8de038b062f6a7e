import { generate } from "selfsigned"

/** Makes a certificate for localhost that is its own authority. A client tells several apart by their names. */
export const localhostCertificate = (name: string) =>
  generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }
    ]
  })
