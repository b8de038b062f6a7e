/** SNOMED CT ends a full name with the concept's kind, which tells a clinician nothing: `Hypoxemia (disorder)`. */
const kinds =
  / \((?:disorder|finding|situation|procedure|regime\/therapy|qualifier value|product|substance|event|observable entity)\)/g

export const withoutKinds = (text: string): string => text.replaceAll(kinds, "")
