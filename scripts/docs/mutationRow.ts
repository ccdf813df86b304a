import { formatMutationScore } from '../mutation/formatMutationScore.ts'
import { MUTATION_GROUPS } from '../mutation/mutationGroups.ts'
import { mutationResults } from '../mutation/mutationResults.ts'

/** The row of docs/reliability.md that `npm run test:mutation` measures instead of `npm run test:faults`. */
export const mutationRow = { number: 27, render }

function render(): string {
  const results = mutationResults.read()
  const figures = MUTATION_GROUPS.map(({ name }) => {
    const result = results[name]
    return `${name}: ${result ? `${formatMutationScore(result)} of ${result.mutants}` : 'not measured yet'}`
  })
  const dates = Object.values(results).map(({ date }) => date)
  const latest = dates.sort().at(-1) ?? ''
  return `| ${mutationRow.number} | one mistake anywhere in the code | the tests notice it | ${figures.join('<br>')} | ${latest} | \`npm run test:mutation\`<br>[mutation.md](mutation.md) |`
}
