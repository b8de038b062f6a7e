import { Heading } from "../../shared/ui/Heading.tsx"

export const Words = () => <Heading>My own words</Heading>
