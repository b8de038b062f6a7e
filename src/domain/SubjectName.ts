/** The members that name whom a resource is about. */
export const subjectMembers = ["subject", "patient"] as const

export type SubjectMember = typeof subjectMembers[number]

/**
 * The names by which `refers_to` of an item tells that the item has the member, and what exactly the member's reference
 * says. A colon keeps them apart from the names of items (FhirReference.ts).
 */
export const subjectNames = (member: SubjectMember, reference: string): readonly [has: string, says: string] => [
  hasSubject(member),
  `${member}:${reference}`
]

export const hasSubject = (member: SubjectMember): string => `${member}:`
