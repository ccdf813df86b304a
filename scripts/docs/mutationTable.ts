import { MUTATION_GROUPS } from '../mutation/mutationGroups.ts'
import { mutationResults } from '../mutation/mutationResults.ts'
import { mutationScore } from '../mutation/mutationScore.ts'

/** The tables of docs/mutation.md: what was counted in each group, of what, and what was not noticed in which file. */
export function mutationTable(): string {
  const results = mutationResults.read()
  const counted = MUTATION_GROUPS.map(({ name, meaning }) => {
    const result = results[name]
    const command = `\`npm run test:mutation -- ${name}\``
    if (!result) return `| ${name}: ${meaning} | not measured yet | | | | | | | | ${command} |`
    const { mutants, killed, timedOut, survived, uncovered, ignored, seconds, isAgain, date, tools } = result
    const figures = [mutants, killed, timedOut, survived, uncovered].join(' | ')
    const score = `**${mutationScore(result)}**`
    const time = `${Math.ceil(seconds / 60)} min${isAgain ? ' again' : ''}`
    const when = `${date}, ${time}, ${tools}`
    return `| ${name}: ${meaning} | ${score} | ${figures} | ${ignored} | ${when} | ${command} |`
  })
  const judged = MUTATION_GROUPS.map(
    ({ name, files, tests }) => `| ${name} | ${codeList(files)} | ${codeList(tests)} |`,
  )
  const left = MUTATION_GROUPS.flatMap(({ name }) => {
    const byFile = Map.groupBy(results[name]?.unnoticed ?? [], (line) => line.slice(0, line.indexOf(':')))
    return [...byFile].map(([file, lines]) => `| ${name} | \`${file}\` | ${lines.length} |`)
  })
  return [
    '| Group | Noticed | Changes | by a failing test | by a timeout | survived | reached by no test | left out | When | Command |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---|---|',
    ...counted,
    '',
    '| Group | What is changed | The tests that judge it |',
    '|---|---|---|',
    ...judged,
    '',
    '| Group | File | Not noticed |',
    '|---|---|---:|',
    ...left,
  ].join('\n')
}

function codeList(patterns: readonly string[]): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(' ')
}
