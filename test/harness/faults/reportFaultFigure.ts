import { appendFileSync } from 'node:fs'

/** Reports a figure counted by a fault test to `npm run test:faults`; does nothing in other runs. */
export function reportFaultFigure(figure: string): void {
  const file = process.env.FAULT_FIGURES
  if (file !== undefined) appendFileSync(file, `${figure.replaceAll('\n', ' ')}\n`)
}
