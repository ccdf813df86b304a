import { formatMutationScore } from '../mutation/formatMutationScore.ts'
import { MUTATION_GROUPS } from '../mutation/mutationGroups.ts'
import { mutationResults } from '../mutation/mutationResults.ts'
import { requireMatches } from '../requireMatches.ts'

/**
 * Renders the tables of docs/mutation.md: the counts of each group, its files and tests, and the files with changes that
 * were not noticed.
 *
 * @throws Error that names a group's pattern if it matches no file.
 */
export function renderMutationTable(): string {
  const results = mutationResults.read()
  for (const { name, files, tests } of MUTATION_GROUPS) {
    requireMatches(`group "${name}" of scripts/mutation/mutationGroups.ts`, [...files, ...tests])
  }
  const counts = MUTATION_GROUPS.map(({ name, meaning }) => {
    const result = results[name]
    const command = `\`npm run test:mutation -- ${name}\``
    if (!result) return `| ${name}: ${meaning} | not measured yet | | | | | | | | ${command} |`
    const { mutants, killed, timedOut, survived, uncovered, ignored, seconds, isAgain, date, tools } = result
    const figures = [mutants, killed, timedOut, survived, uncovered].join(' | ')
    const score = `**${formatMutationScore(result)}**`
    const time = `${Math.ceil(seconds / 60)} min${isAgain ? ', incremental' : ''}`
    const when = `${date}, ${time}, ${tools}`
    return `| ${name}: ${meaning} | ${score} | ${figures} | ${ignored} | ${when} | ${command} |`
  })
  const patterns = MUTATION_GROUPS.map(
    ({ name, files, tests }) => `| ${name} | ${formatCodeList(files)} | ${formatCodeList(tests)} |`,
  )
  const unnoticed = MUTATION_GROUPS.flatMap(({ name }) => {
    const byFile = Map.groupBy(results[name]?.unnoticed ?? [], (line) => line.slice(0, line.indexOf(':')))
    return [...byFile].map(([file, lines]) => `| ${name} | \`${file}\` | ${lines.length} |`)
  })
  return [
    '| Group | Noticed | Changes | by a failing test | by a timeout | survived | not reached by any test | left out | When | Command |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---|---|',
    ...counts,
    '',
    '| Group | Changed files | Tests |',
    '|---|---|---|',
    ...patterns,
    '',
    '| Group | File | Not noticed |',
    '|---|---|---:|',
    ...unnoticed,
  ].join('\n')
}

function formatCodeList(patterns: readonly string[]): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(' ')
}
