import { faultResults } from '../faults/faultResults.ts'
import { FAULT_ROWS } from '../faults/faultRows.ts'
import { mutationRow } from './mutationRow.ts'

/** The table of faults of docs/reliability.md: of each row its latest full run, or else its latest short one. */
export function faultsTable(): string {
  const results = faultResults.read()
  const rows = FAULT_ROWS.map(({ number, fault, promise, tests }) => {
    const kept = results[number]
    const form = kept?.full ? 'full' : 'short'
    const result = kept?.full ?? kept?.short
    const command = `\`npm run test:faults -- ${form === 'full' ? '--full ' : ''}${number}\``
    const files = tests.map((file) => `\`${file.replace(/^test\//, '')}\``).join(' ')
    if (tests.length === 0) return `| ${number} | ${fault} | ${promise} | no test yet | | |`
    if (!result) return `| ${number} | ${fault} | ${promise} | not measured yet | | ${command}<br>${files} |`
    const { figures, passing, pending, date } = result
    const counted = `${passing} tests pass${pending > 0 ? `, ${pending} could not run here` : ''}`
    const seen = [...figures, counted].join('<br>')
    return `| ${number} | ${fault} | ${promise} | ${seen} | ${date}, ${form} | ${command}<br>${files} |`
  })
  const next = FAULT_ROWS.findIndex(({ number }) => number > mutationRow.number)
  rows.splice(next < 0 ? rows.length : next, 0, mutationRow.make())
  return `| # | Fault | Promise | Seen | When | Command, and the tests in \`test/\` |\n|---|---|---|---|---|---|\n${rows.join('\n')}`
}
