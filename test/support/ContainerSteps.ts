/** One instruction of a Containerfile. `flags` are those before its arguments, as `--from=pages`. */
export interface Step {
  readonly instruction: string
  readonly flags: Readonly<Record<string, string>>
  readonly text: string
}

export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly steps: ReadonlyArray<Step>
}

/** Reads the part of a Containerfile's syntax that this repository uses. */
export const stagesOf = (file: string): ReadonlyArray<Stage> => {
  const lines = file.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ").split("\n").filter((line) => line.trim() !== "")
  const steps = lines.map((line): Step => {
    const [, instruction, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (instruction === undefined) throw new Error(`no instruction: ${line}`)
    const [, given, text] = /^((?:--[a-z-]+=\S+\s+)*)(.*)$/.exec(rest!)!
    const flags = Object.fromEntries(given!.trim().split(/\s+/).filter(Boolean).map((flag) => flag.slice(2).split("=")))
    return { instruction, flags, text: text!.trim() }
  })
  const stages: Array<Stage & { readonly steps: Array<Step> }> = []
  for (const step of steps) {
    if (step.instruction !== "FROM") {
      stages.at(-1)!.steps.push(step)
      continue
    }
    const [base, , name] = step.text.split(/\s+/)
    stages.push({ base: base!, name, steps: [] })
  }
  return stages
}

export const named = (stage: Stage, instruction: string) =>
  stage.steps.filter((step) => step.instruction === instruction)
