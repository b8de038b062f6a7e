import { Fragment } from "react"
import { Tag } from "../../ui/Tag.tsx"
import { Term } from "../Term.tsx"

/** Short words that must not be overlooked. A space before each separates them when they are read aloud or copied. */
export const Flags = ({ of }: { readonly of: ReadonlyArray<string> }) =>
  of.map((flag) => (
    <Fragment key={flag}>
      {" "}
      <Tag kind={flag === "Entered in error" ? "off" : "bad"}>
        <Term of={flag} />
      </Tag>
    </Fragment>
  ))
