import { serviceName, systems } from "./Shapes.ts"

/** The service itself, as the custodian of what it released. */
export const serviceOrganization = (id: string, base: string) => ({
  resourceType: "Organization",
  id,
  identifier: [{ system: systems.uri, value: base }],
  active: true,
  name: serviceName,
  telecom: [{ system: "url", value: base }]
})

export interface NamedRecipient {
  readonly name: string
  readonly organization?: string | null | undefined
  readonly npi?: string | null | undefined
}

/** The recipient of a release. A person without an organization has its name. */
export const recipientOrganization = (id: string, { name, npi, organization }: NamedRecipient) => ({
  resourceType: "Organization",
  id,
  ...npi && { identifier: [{ system: systems.npi, value: npi }] },
  name: organization ?? name,
  ...organization && { contact: [{ name: { text: name } }] }
})
