import { Heading } from "../../shared/ui/Heading.tsx"

export const Link = (_: { readonly document: string }) => <Heading>Link</Heading>
