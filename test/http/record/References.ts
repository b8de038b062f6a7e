import { resource } from "../../support/Sync.ts"

/** Makes the text of a resource that refers to others. */
export const referring = (
  type: string,
  id: string,
  references: ReadonlyArray<string>,
  meta: Parameters<typeof resource>[2] = {}
) =>
  JSON.stringify({
    ...JSON.parse(resource(type, id, meta)),
    focus: references.map((reference) => ({ reference }))
  })
