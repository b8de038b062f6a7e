import { statements } from "../../../src/domain/ReleaseStatements.ts"
import { useReleaseWords } from "./Words.ts"

/**
 * The statements that a signer accepts. What is signed is English in the app of every language. Another language has a
 * help to read below each statement, and says that the English text counts.
 */
export const Statements = () => {
  const { help } = useReleaseWords()
  return (
    <>
      {help === undefined ? null : <p>{help.intro}</p>}
      <ol className="statements">
        {statements.map((statement, index) => (
          <li key={statement}>
            <p lang="en-US">{statement}</p>
            {help === undefined ? null : <p className="soft">{help.statements[index]}</p>}
          </li>
        ))}
      </ol>
    </>
  )
}
