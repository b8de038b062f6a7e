import { Heading } from "../../shared/ui/Heading.tsx"

export const Confirm = () => <Heading>Confirm that it is you</Heading>
