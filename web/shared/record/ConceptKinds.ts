/** SNOMED CT ends a concept's whole name with its kind, which says nothing to a clinician: `Hypoxemia (disorder)`. */
const kinds =
  / \((?:disorder|finding|situation|procedure|regime\/therapy|qualifier value|product|substance|event|observable entity)\)/g

export const withoutKinds = (text: string): string => text.replaceAll(kinds, "")
