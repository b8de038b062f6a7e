import { Heading } from "../../shared/ui/Heading.tsx"

export const Home = () => <Heading>Home</Heading>
