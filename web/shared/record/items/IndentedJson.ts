/** Indents JSON. Each number and string stays exactly as it was sent. */
export const indentedJson = (json: string): string => {
  let level = 0
  const lines: Array<string> = []
  const line = () => `\n${"  ".repeat(level)}`
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gs)) {
    if (token === "{" || token === "[") {
      level++
      lines.push(token, line())
    } else if (token === "}" || token === "]") {
      level--
      // An empty object or array stays on one line.
      if (/^\n\s*$/.test(lines.at(-1) ?? "") && /[{[]/.test(lines.at(-2) ?? "")) lines.pop()
      else lines.push(line())
      lines.push(token)
    } else if (token === ",") lines.push(token, line())
    else lines.push(token === ":" ? ": " : token)
  }
  return lines.join("")
}
