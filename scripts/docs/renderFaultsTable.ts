import { faultResults } from '../faults/faultResults.ts'
import { FAULT_ROWS } from '../faults/faultRows.ts'
import { requireMatches } from '../requireMatches.ts'
import { mutationRow } from './mutationRow.ts'

/**
 * Renders the table of faults in docs/reliability.md, with the latest full run of each row, or else its latest short run.
 *
 * @throws Error that names a row's pattern if it matches no test file.
 */
export function renderFaultsTable(): string {
  const results = faultResults.read()
  const rows = FAULT_ROWS.map(({ number, fault, promise, tests }) => {
    requireMatches(`row ${number} of scripts/faults`, tests)
    const runs = results[number]
    const form = runs?.full ? 'full' : 'short'
    const result = runs?.full ?? runs?.short
    const command = `\`npm run test:faults -- ${form === 'full' ? '--full ' : ''}${number}\``
    const files = tests.map((file) => `\`${file.replace(/^test\//, '')}\``).join(' ')
    if (!result) return `| ${number} | ${fault} | ${promise} | not measured yet | | ${command}<br>${files} |`
    const { figures, passing, pending, date } = result
    const counted = `${passing} ${passing === 1 ? 'test passes' : 'tests pass'}${pending > 0 ? `, ${pending} could not run here` : ''}`
    const observed = [...figures, counted].join('<br>')
    return `| ${number} | ${fault} | ${promise} | ${observed} | ${date}, ${form} | ${command}<br>${files} |`
  })
  const next = FAULT_ROWS.findIndex(({ number }) => number > mutationRow.number)
  rows.splice(next < 0 ? rows.length : next, 0, mutationRow.render())
  return `| # | Fault | Guarantee | Observed | When | Command, and the tests in \`test/\` |\n|---|---|---|---|---|---|\n${rows.join('\n')}`
}
