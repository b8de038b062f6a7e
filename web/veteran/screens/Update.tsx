import { Heading } from "../../shared/ui/Heading.tsx"

export const Update = () => <Heading>Update</Heading>
