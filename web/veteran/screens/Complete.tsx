import { Heading } from "../../shared/ui/Heading.tsx"

export const Complete = () => <Heading>How complete</Heading>
