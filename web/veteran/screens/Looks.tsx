import { Heading } from "../../shared/ui/Heading.tsx"

export const Looks = () => <Heading>Who looked</Heading>
