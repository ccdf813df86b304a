/** How long fault tests may take: `none` in `npm test`, `short` or `full` in `npm run test:faults`. */
export const faultMode: 'none' | 'short' | 'full' = read(process.env.FAULTS)

function read(given: string | undefined): 'none' | 'short' | 'full' {
  if (given === undefined || given === '') return 'none'
  if (given !== 'short' && given !== 'full') throw new Error(`FAULTS is ${given}, expected short or full`)
  return given
}
