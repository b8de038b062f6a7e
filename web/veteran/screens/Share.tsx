import { Heading } from "../../shared/ui/Heading.tsx"

export const Share = () => <Heading>Share my record</Heading>
