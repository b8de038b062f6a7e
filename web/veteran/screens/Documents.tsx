import { Heading } from "../../shared/ui/Heading.tsx"

export const Documents = () => <Heading>My documents</Heading>
