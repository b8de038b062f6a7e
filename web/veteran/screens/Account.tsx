import { Heading } from "../../shared/ui/Heading.tsx"

export const Account = () => <Heading>Account</Heading>
