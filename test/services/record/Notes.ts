export const note = (text: string) => ({ resourceType: "Observation", id: "n", note: [{ text }] })

export const base64 = (text: string, encoding: BufferEncoding = "utf8") =>
  Buffer.from(text, encoding).toString("base64")

export const attachment = (data: string, contentType?: string) => ({
  resourceType: "DocumentReference",
  id: "d",
  content: [{ attachment: { ...contentType !== undefined && { contentType }, data } }]
})
