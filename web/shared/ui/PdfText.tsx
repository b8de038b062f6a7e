import type { PageText, TextBlock } from "../pdf/PageText.ts"

/** The text of a page. Its headings rank below those of our page. */
export const PdfText = ({ text: { blocks, lang } }: { readonly text: PageText }) => (
  <div {...(lang === undefined ? {} : { lang })} dir="auto">
    {blocks.map((block, index) => <Block key={index} block={block} />)}
  </div>
)

const Block = ({ block }: { readonly block: TextBlock }) => {
  switch (block.is) {
    case "heading": {
      const Heading = `h${Math.min(6, block.level + 1)}` as "h2"
      return <Heading>{block.text}</Heading>
    }
    case "paragraph":
      return <p>{block.text}</p>
    case "list":
      return <ul>{block.items.map((item, index) => <li key={index}>{item}</li>)}</ul>
    case "table":
      return (
        <table>
          <tbody>
            {block.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map(({ isHeader, text }, cell) =>
                  isHeader && text !== "" ? <th key={cell}>{text}</th> : <td key={cell}>{text}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}
