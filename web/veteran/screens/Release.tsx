import { Heading } from "../../shared/ui/Heading.tsx"

export const Release = (_: { readonly replaces?: string }) => <Heading>Sign a release</Heading>
