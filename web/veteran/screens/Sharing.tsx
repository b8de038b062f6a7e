import { Heading } from "../../shared/ui/Heading.tsx"

export const Sharing = () => <Heading>Who has my record now</Heading>
