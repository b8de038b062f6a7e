import { Heading } from "../../shared/ui/Heading.tsx"

export const Record = () => <Heading>Your record</Heading>
