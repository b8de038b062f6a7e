import { useEffect, useState } from "react"
import type { PdfAttachment, PdfFile } from "../../shared/pdf/PdfFile.ts"
import { type Authorization, authorizationIn } from "./Authorization.ts"
import type { Channel } from "./Channel.ts"

/** The record inside a release: the items, and what was signed about them. */
export interface ReleasedRecord {
  readonly bundle: Uint8Array<ArrayBuffer>
  readonly authorization: Authorization
}

/** The record in a release's PDF, "none" if there is none that can be read, and undefined while it is read. */
export const useRecordIn = (file: PdfFile | undefined, channel: Channel) => {
  const [record, setRecord] = useState<ReleasedRecord | "none">()
  useEffect(() => {
    if (file === undefined) return
    let awaited = true
    let stop = () => {}
    const read = async () => {
      const files = await file.attachments().catch(() => [])
      const record = await recordIn(files).catch(() => undefined)
      if (!awaited) return
      stop = handOut(files, channel)
      setRecord(record ?? "none")
    }
    void read()
    return () => {
      awaited = false
      stop()
    }
  }, [channel, file])
  return record
}

const recordIn = async (files: ReadonlyArray<PdfAttachment>): Promise<ReleasedRecord | undefined> => {
  const [bundle, signed] = ["record.fhir.json", "authorization.json"].map((wanted) =>
    files.find(({ name }) => name === wanted)
  )
  if (bundle === undefined || signed === undefined) return undefined
  return { bundle: await bundle.read(), authorization: authorizationIn(await signed.read()) }
}

/** Tells the page which files are inside the PDF, and gives it those that it asks for. */
const handOut = (files: ReadonlyArray<PdfAttachment>, channel: Channel) => {
  channel.tell({ is: "files", names: files.map(({ name }) => name) })
  return channel.hear((message) => {
    if (message.ask !== "file") return
    const { index } = message
    files[index]?.read().then(
      (bytes) => channel.tell({ is: "file", index, bytes }),
      () => channel.tell({ is: "file", index })
    )
  })
}
